import { useEffect, useRef } from 'react';
import { answer, api, type Schema } from '../../api/client';
import { jsonOrText } from '../../logic/parsed-json';
import { useAutosave, type Autosave } from '../../parts/use-autosave';

type Template = Schema<'TemplateResponse'>;

export interface Variable {
  readonly key: string;
  readonly type: Schema<'TemplateVariableResponse'>['type'];
  /** As it is typed; empty for none. */
  readonly fallback: string;
}

export interface DraftValues {
  readonly name: string;
  readonly alias: string;
  readonly from: string;
  readonly subject: string;
  readonly html: string;
  readonly text: string;
  readonly variables: readonly Variable[];
}

/** The draft of a template. */
export function useDraft(
  template: Template | undefined,
  whenSaved: () => Promise<unknown>,
  /** Whether html and text are written here. Otherwise they come from the document, and are left alone. */
  ownsBodies: boolean,
): Autosave<DraftValues> {
  const seen = useRef(new Set<string>());
  const draft = useAutosave<DraftValues>({
    id: template?.id,
    known: () => {
      const values = valuesOf(template as Template);
      seen.current = new Set(values.variables.map(({ key }) => key));
      return values;
    },
    save: (id, values) =>
      answer(
        api.PATCH('/templates/{idOrAlias}', {
          params: { path: { idOrAlias: id } },
          body: bodyOf(values, ownsBodies) as never,
        }),
      ),
    whenSaved,
  });
  // Variables that a document uses are defined when it is saved. Without them here, the next change would take them away.
  useEffect(() => {
    if (template === undefined) return;
    const defined = valuesOf(template).variables.filter(({ key }) => !seen.current.has(key));
    if (defined.length === 0) return;
    for (const { key } of defined) seen.current.add(key);
    draft.learn(({ variables }) => ({
      variables: [...variables, ...defined.filter(({ key }) => !variables.some((own) => own.key === key))],
    }));
  }, [template?.variables]);
  return draft;
}

function valuesOf(template: Template): DraftValues {
  return {
    name: template.name,
    alias: template.alias ?? '',
    from: template.from ?? '',
    subject: template.subject ?? '',
    html: template.html,
    text: template.text ?? '',
    variables: template.variables.map(({ key, type, fallback_value: fallback }) => ({
      key,
      type,
      fallback: fallback === null || fallback === undefined ? '' : shown(fallback),
    })),
  };
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function bodyOf({ name, alias, from, subject, html, text, variables }: DraftValues, ownsBodies: boolean): object {
  return {
    name: name.trim(),
    ...(alias.trim() === '' ? {} : { alias: alias.trim() }),
    ...(from.trim() === '' ? {} : { from: from.trim() }),
    subject,
    ...(ownsBodies ? { html, ...(text === '' ? {} : { text }) } : {}),
    // A fallback that is no JSON is sent as it is, and the server says what is wrong with it.
    variables: variables.map(({ key, type, fallback }) => ({
      key,
      type,
      fallback_value: fallback === '' ? null : type === 'string' ? fallback : jsonOrText(fallback),
    })),
  };
}
