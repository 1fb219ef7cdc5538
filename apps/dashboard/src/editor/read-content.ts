import { answer, api, type Schema } from '../api/client';
import type { ContentReference } from './use-room';

export type Content = Schema<'EditorContentResponse'>;

const ahead = new Map<string, Promise<Content>>();

/** Asks for a document that is about to be opened, while the code of the editor still comes. */
export function readAhead(ref: ContentReference): void {
  const reading = read(ref);
  // Whoever opens the document is told.
  reading.catch(() => undefined);
  ahead.clear();
  ahead.set(keyOf(ref), reading);
}

/** The document as the service has it. */
export function readContent(ref: ContentReference): Promise<Content> {
  const begun = ahead.get(keyOf(ref));
  ahead.clear();
  return begun ?? read(ref);
}

const read = (ref: ContentReference): Promise<Content> =>
  answer(api.GET('/editor/content', { params: { query: ref } }));

const keyOf = ({ resource_type: type, resource_id: id }: ContentReference): string => `${type} ${id}`;
