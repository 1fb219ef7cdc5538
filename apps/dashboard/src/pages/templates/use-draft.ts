import { useCallback, useEffect, useRef, useState } from 'react';
import { answer, api, type Schema } from '../../api/client';

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

export interface Draft {
  readonly values: DraftValues | undefined;
  readonly change: (changes: Partial<DraftValues>) => void;
  readonly state: 'clean' | 'changed' | 'saving' | 'saved' | 'refused';
  readonly isChanged: boolean;
  readonly error: unknown;
  /** Resolves once everything is on the server; throws where it was refused. */
  readonly saved: () => Promise<void>;
}

/** Without a change for this long, the draft is saved. */
const calmMs = 900;

/** The draft of a template. It is saved by itself a moment after each change, one request at a time. */
export function useDraft(template: Template | undefined, whenSaved: () => Promise<unknown>): Draft {
  const [values, setValues] = useState<DraftValues>();
  const [state, setState] = useState<Draft['state']>('clean');
  const [error, setError] = useState<unknown>();
  const latest = useRef({ values, isChanged: false, running: undefined as Promise<void> | undefined });
  const id = template?.id;

  useEffect(() => {
    if (template === undefined) return;
    setValues(valuesOf(template));
    latest.current = { values: valuesOf(template), isChanged: false, running: undefined };
    setState('clean');
    setError(undefined);
    // Only another template replaces what is being written.
  }, [id]);

  const save = useCallback(async (): Promise<void> => {
    const now = latest.current;
    if (now.running !== undefined) await now.running.catch(() => undefined);
    if (!now.isChanged || now.values === undefined || id === undefined) return;
    now.isChanged = false;
    setState('saving');
    now.running = answer(
      api.PATCH('/templates/{idOrAlias}', { params: { path: { idOrAlias: id } }, body: bodyOf(now.values) as never }),
    ).then(() => undefined);
    try {
      await now.running;
      setError(undefined);
      setState(latest.current.isChanged ? 'changed' : 'saved');
      await whenSaved();
    } catch (refusal) {
      latest.current.isChanged = true;
      setError(refusal);
      setState('refused');
      throw refusal;
    } finally {
      now.running = undefined;
    }
  }, [id, whenSaved]);

  useEffect(() => {
    if (state !== 'changed') return;
    const timer = setTimeout(() => void save().catch(() => undefined), calmMs);
    return () => clearTimeout(timer);
  }, [values, state, save]);

  useEffect(() => {
    const warn = (event: BeforeUnloadEvent): void => {
      if (latest.current.isChanged) event.preventDefault();
    };
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, []);

  return {
    values,
    state,
    isChanged: state === 'changed' || state === 'refused',
    error,
    change: (changes) => {
      if (values === undefined) return;
      const changed = { ...values, ...changes };
      setValues(changed);
      latest.current.values = changed;
      latest.current.isChanged = true;
      setState('changed');
    },
    saved: save,
  };
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

function bodyOf({ name, alias, from, subject, html, text, variables }: DraftValues): object {
  return {
    name: name.trim(),
    ...(alias.trim() === '' ? {} : { alias: alias.trim() }),
    ...(from.trim() === '' ? {} : { from: from.trim() }),
    subject,
    html,
    ...(text === '' ? {} : { text }),
    variables: variables.map(({ key, type, fallback }) => ({
      key,
      type,
      fallback_value: fallback === '' ? null : type === 'string' ? fallback : parsed(fallback),
    })),
  };
}

/** A fallback that is no JSON is sent as it is, and the server says what is wrong with it. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
