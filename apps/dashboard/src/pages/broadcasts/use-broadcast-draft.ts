import { answer, api } from '../../api/client';
import { useAutosave, type Autosave } from '../../parts/use-autosave';
import { pathOf, type Broadcast } from './broadcast-queries';

export type BroadcastOptions = Readonly<Record<string, unknown>>;

export interface BroadcastValues {
  readonly name: string;
  readonly from: string;
  readonly replyTo: string;
  readonly subject: string;
  readonly previewText: string;
  readonly html: string;
  readonly text: string;
  readonly segmentId: string;
  readonly topicId: string | null;
  readonly options: BroadcastOptions;
}

/** The draft of a broadcast. */
export function useBroadcastDraft(
  broadcast: Broadcast | undefined,
  whenSaved: () => Promise<unknown>,
  /** Whether html and text are written here. Otherwise they come from the document, and are left alone. */
  ownsBodies: boolean,
): Autosave<BroadcastValues> {
  return useAutosave<BroadcastValues>({
    id: broadcast?.id,
    known: () => valuesOf(broadcast as Broadcast),
    save: (id, values) =>
      answer(api.PATCH('/broadcasts/{id}', { ...pathOf(id), body: bodyOf(values, ownsBodies) as never })),
    whenSaved,
  });
}

function valuesOf(broadcast: Broadcast): BroadcastValues {
  const { name, from, reply_to: replyTo, subject, preview_text: previewText, html, text } = broadcast;
  return {
    name: name ?? '',
    from,
    subject,
    previewText: previewText ?? '',
    html: html ?? '',
    text: text ?? '',
    replyTo: replyTo?.join(', ') ?? '',
    segmentId: broadcast.segment_id,
    topicId: broadcast.topic_id,
    options: broadcast.options ?? {},
  };
}

/** A change replaces all options. A blank preview text takes it away. */
function bodyOf(values: BroadcastValues, ownsBodies: boolean): object {
  const { name, from, replyTo, subject, previewText, html, text, segmentId, topicId, options } = values;
  return {
    name: name.trim(),
    from: from.trim(),
    subject,
    options,
    ...(ownsBodies ? { html, text } : {}),
    reply_to: addressesOf(replyTo),
    preview_text: previewText === '' ? ' ' : previewText,
    segment_id: segmentId,
    topic_id: topicId,
  };
}

/** Addresses are separated by commas; one between quotes separates nothing. */
function addressesOf(text: string): readonly string[] {
  const addresses: string[] = [];
  let isQuoted = false;
  let now = '';
  for (const sign of text) {
    if (sign === '"') isQuoted = !isQuoted;
    if (sign === ',' && !isQuoted) {
      addresses.push(now.trim());
      now = '';
    } else now += sign;
  }
  return [...addresses, now.trim()].filter((address) => address !== '');
}
