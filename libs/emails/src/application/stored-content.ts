import { bytesOfText, Text } from '#kernel';
import { AcceptedEmail } from '../domain/accepted-email.js';
import { contentIdOf, Email, EmailBody } from '../domain/email.js';
import { OutgoingEmail } from './ports/email-repository.port.js';
import { StoredMessage } from './ports/message-store.port.js';

const composed = 1;
const finished = 2;
const hasHtml = 1;
const hasText = 2;
export const headerLength = 6;

const noBody = { html: null, text: null };

/** The contents to store with an accepted email. Shared content and large MIME messages are already stored. */
export function contentsOf({ email, body, attachmentContents, mime }: AcceptedEmail): StoredMessage[] {
  const attachments = attachmentContents.map(({ attachment, content }) => ({ id: attachment.id, bytes: content }));
  if (email.contentId !== null) return attachments;
  if (mime !== undefined) {
    return mime.bytes === undefined ? [] : [{ id: email.id, bytes: Buffer.concat([mimePrefix, mime.bytes]) }];
  }
  return [{ id: email.id, bytes: encodeBody(body) }, ...attachments];
}

/** The ids under which the contents of the emails are stored, each once. */
export function storedIdsOf(emails: readonly Email[]): string[] {
  const ids = emails.flatMap((email) => [contentIdOf(email), ...(email.attachments ?? []).map(({ id }) => id)]);
  return [...new Set(ids)];
}

/** Joins emails with their contents. Throws if a content is missing. */
export function outgoingEmails(emails: readonly Email[], contents: ReadonlyMap<string, Uint8Array>): OutgoingEmail[] {
  const bodies = new Map<string, EmailBody>();
  return emails.map((email) => outgoing(email, contents, bodies));
}

/**
 * Decodes shared bodies once. Contents are durable before their email, so a missing content means damaged data, and the
 * email must not be sent empty.
 */
function outgoing(
  email: Email,
  contents: ReadonlyMap<string, Uint8Array>,
  bodies: Map<string, EmailBody>,
): OutgoingEmail {
  const contentId = contentIdOf(email);
  const bytes = contents.get(contentId);
  if (bytes === undefined) throw new Error(`The content of email ${email.id} is missing from the message store`);
  const mime = storedMime(bytes);
  if (mime !== undefined) return { email, body: noBody, attachmentContents: new Map(), mime };
  const attachmentContents = new Map<string, Uint8Array>();
  for (const { id } of email.attachments ?? []) {
    const content = contents.get(id);
    if (content === undefined)
      throw new Error(`Attachment ${id} of email ${email.id} is missing from the message store`);
    attachmentContents.set(id, content);
  }
  const body = bodies.get(contentId) ?? decodeBody(bytes);
  bodies.set(contentId, body);
  return { email, body, attachmentContents };
}

/**
 * Encodes a body for the message store: version (1 byte), flags of its parts (1 byte), length of the html in bytes (4
 * bytes, big endian), html, text, both in UTF-8. Encoding and decoding this is cheaper than JSON, and nothing needs
 * escaping.
 */
export function encodeBody(body: EmailBody): Buffer {
  const htmlLength = body.html === null ? 0 : bytesOfText(body.html);
  const textLength = body.text === null ? 0 : bytesOfText(body.text);
  const bytes = Buffer.allocUnsafe(headerLength + htmlLength + textLength);
  bytes[0] = composed;
  bytes[1] = (body.html === null ? 0 : hasHtml) | (body.text === null ? 0 : hasText);
  bytes.writeUInt32BE(htmlLength, 2);
  write(body.html, bytes, headerLength);
  write(body.text, bytes, headerLength + htmlLength);
  return bytes;
}

function write(text: Text | null, target: Buffer, at: number): void {
  if (text === null) return;
  if (typeof text === 'string') target.write(text, at, 'utf8');
  else target.set(text.bytes, at);
}

/** Decodes the first `headerLength` bytes. */
export function readBodyHeader(bytes: Buffer): { htmlLength: number; hasHtml: boolean; hasText: boolean } {
  if (bytes[0] !== composed) throw new Error(`A stored body has the unknown format ${bytes[0]}`);
  const parts = bytes.readUInt8(1);
  return {
    htmlLength: bytes.readUInt32BE(2),
    hasHtml: (parts & hasHtml) !== 0,
    hasText: (parts & hasText) !== 0,
  };
}

export function decodeBody(stored: Uint8Array): { readonly html: string | null; readonly text: string | null } {
  const bytes = Buffer.from(stored.buffer, stored.byteOffset, stored.byteLength);
  const header = readBodyHeader(bytes);
  const textAt = headerLength + header.htmlLength;
  return {
    html: header.hasHtml ? bytes.toString('utf8', headerLength, textAt) : null,
    text: header.hasText ? bytes.toString('utf8', textAt) : null,
  };
}

/** Prefix of a finished MIME message, which is stored unchanged in place of a body. */
export const mimePrefix = Buffer.from([finished]);

/** The finished MIME message; undefined if the stored bytes are a body. */
export function storedMime(stored: Uint8Array): Uint8Array | undefined {
  return stored[0] === finished ? stored.subarray(1) : undefined;
}
