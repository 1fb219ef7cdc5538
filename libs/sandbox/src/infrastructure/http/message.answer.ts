import { timestamp } from '#platform/http';
import { DkimVerdict, InboxMessage, ReceivedMessage } from '../../domain/inbox-message.js';
import { ParsedMessage } from '../mime/parsed-message.js';

/** One message in a list. */
export function messageSummary({ id, from, to, subject, receivedAt }: InboxMessage): Record<string, unknown> {
  return { id, from, to, subject, received_at: timestamp(receivedAt) };
}

/** One message with everything in it. `raw` is read as UTF-8, of which the ASCII of other encodings is a part. */
export function messageAnswer(
  message: ReceivedMessage,
  { html, text }: ParsedMessage,
  dkim: DkimVerdict,
): Record<string, unknown> {
  return { ...messageSummary(message), raw: Buffer.from(message.raw).toString('utf8'), html, text, dkim };
}
