import type { QueryClient } from '@tanstack/react-query';
import { answer, api } from '../api/client';
import type { EmailStyles } from '../logic/email-styles';
import { firstDocument } from '../logic/first-document';
import type { StartingDocument } from '../logic/starting-documents/starting-document';
import { editorStylesQuery } from './styles-query';
import type { ContentType } from './use-document';

interface FirstContent {
  readonly type: ContentType;
  readonly id: string;
  /** Undefined: a title, a sentence and a button. */
  readonly chosen: StartingDocument | undefined;
  readonly title: string;
  readonly t: (key: string) => string;
  readonly lang: string;
}

/** Writes the document with which a broadcast or a template begins. */
export async function writeFirstContent(
  client: QueryClient,
  { type, id, chosen, title, t, lang }: FirstContent,
): Promise<void> {
  let content = firstDocument({ title, text: t('editor:first.text'), button: t('editor:first.button') }, lang);
  if (chosen !== undefined) {
    const [{ lookOf }, { documentFrom }, team] = await Promise.all([
      import('../logic/starting-documents/look'),
      import('../logic/starting-documents/starting-documents'),
      client.fetchQuery(editorStylesQuery),
    ]);
    const look = lookOf(team.complete as unknown as EmailStyles, team.illustrations, Date.now());
    content = documentFrom(chosen, look, type);
  }
  await answer(
    api.POST('/editor/content', { body: { resource_type: type, resource_id: id, content: content as never } }),
  );
}
