import { timestamp } from '#platform/http';
import { DkimVerdict, InboxMessage } from '../../domain/inbox-message.js';
import { ShownMessage, textOf } from './shown-messages.js';

/** One message in a list. */
export function messageSummary({ id, from, to, subject, receivedAt }: InboxMessage): Record<string, unknown> {
  return { id, from, to, subject, received_at: timestamp(receivedAt) };
}

/**
 * One message with everything in it, of which large parts go out piece by piece. `raw` is read as UTF-8, of which the ASCII
 * of other encodings is a part.
 */
export function messageResponse({ message, raw, parsed }: ShownMessage, dkim: DkimVerdict): Record<string, unknown> {
  return {
    ...messageSummary(message),
    raw: textOf(raw),
    html: textOf(parsed.html),
    text: textOf(parsed.text),
    dkim,
  };
}
