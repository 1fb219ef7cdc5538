import { answer, api, type Schema } from '../api/client';
import type { ContentReference } from './use-room';

export type Content = Schema<'EditorContentResponse'>;

/** The document that was asked for ahead. */
let ahead: { readonly key: string; readonly reading: Promise<Content> } | undefined;

/** Asks for a document that is about to be opened, while the code of the editor still comes. */
export function readAhead(reference: ContentReference): void {
  const reading = read(reference);
  // Whoever opens the document is told.
  reading.catch(() => undefined);
  ahead = { key: keyOf(reference), reading };
}

/** The document as the service has it. */
export function readContent(reference: ContentReference): Promise<Content> {
  const begun = ahead?.key === keyOf(reference) ? ahead.reading : undefined;
  ahead = undefined;
  return begun ?? read(reference);
}

const read = (reference: ContentReference): Promise<Content> =>
  answer(api.GET('/editor/content', { params: { query: reference } }));

const keyOf = ({ resource_type: type, resource_id: id }: ContentReference): string => `${type} ${id}`;
