import { EmailTooLargeError, maxEmailBytes, RawSendRequest } from '#emails';
import type { Mailbox } from '#kernel';
import { fieldValue, readHeaderFields, readMailboxes, splitMessage } from '#mime';
import { InspectedContent } from '../../domain/arriving-content.js';
import { readSubmissionHeader } from './submission-header.js';

const cr = 0x0d;
const lf = 0x0a;

/**
 * A finished message that arrived as a whole, by another way than SMTP. It is read and checked like one that arrived by
 * SMTP; only its lines may end with LF alone, as the files of many programs do. Without recipients it goes to those that
 * its To, Cc and Bcc fields name.
 */
export async function finishedMessage(
  bytes: Uint8Array,
  given: readonly string[] | undefined,
  now: Date,
): Promise<RawSendRequest> {
  const content = new InspectedContent(oneChunk(withCrLf(bytes)), {
    bytes: maxEmailBytes,
    exceeded: () => new EmailTooLargeError(),
  });
  const section = await content.header();
  const header = readSubmissionHeader(section, now);
  const recipients = given ?? [...header.to, ...header.cc, ...blindCopies(section)].map(({ address }) => address);
  return { ...header, recipients, content: content.all() };
}

function blindCopies(section: Uint8Array): Mailbox[] {
  const { headerEnd } = splitMessage(section);
  const fields = readHeaderFields(Buffer.from(section.buffer, section.byteOffset, headerEnd).toString('latin1'));
  return readMailboxes(fields.filter(({ lowerName }) => lowerName === 'bcc').map(fieldValue));
}

async function* oneChunk(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

function withCrLf(bytes: Uint8Array): Uint8Array {
  let bare = 0;
  for (let at = bytes.indexOf(lf); at >= 0; at = bytes.indexOf(lf, at + 1)) if (bytes[at - 1] !== cr) bare++;
  if (bare === 0) return bytes;
  const result = new Uint8Array(bytes.length + bare);
  let length = 0;
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] === lf && bytes[at - 1] !== cr) result[length++] = cr;
    result[length++] = bytes[at] as number;
  }
  return result;
}
