import { createHash } from 'node:crypto';
import { MimeTooComplexError, readMailboxes, readMessage } from '#mime';
import type { MessageFile, ReadableMessage } from '#mime';
import type { Parser } from '#platform/parsing';
import type { ArrivedFacts } from '../../application/ports/message-judge.port.js';
import type { ReceivedAttachment } from '../../domain/received-email.js';
import { shownText } from './shown-text.js';
import { SignatureKeys, SignatureResults, noSignatures, verifySignatures } from './signatures.js';

export interface ArrivedQuestion {
  readonly contentId: string;
  /** The DNS records of the keys of its signatures; null where it has none that are to be verified. */
  readonly keys: SignatureKeys | null;
  /** Whether the types of files are detected. They are read by a large library, so only in a thread. */
  readonly detects: boolean;
}

export interface ParsedArrival {
  readonly facts: ArrivedFacts;
  readonly signatures: SignatureResults;
  readonly hasFiles: boolean;
}

/** Bytes of a file that are examined for its type. */
const examinedBytes = 64 * 1024;
const maxAddresses = 500;
const maxReferences = 100;
const maxMessageIdLength = 998;

/** Reads and verifies a message that arrives. */
export async function parse(bytes: Uint8Array, question: ArrivedQuestion): Promise<ParsedArrival> {
  const { contentId, keys, detects } = question;
  const signatures = keys === null ? noSignatures : await verifySignatures(bytes, keys);
  const message = readOrHeader(bytes);
  const attachments: ReceivedAttachment[] = [];
  for (const [index, file] of message.files.entries()) {
    attachments.push(await described(contentId, index, file, detects));
  }
  return { facts: { ...fieldsOf(message), attachments }, signatures, hasFiles: attachments.length > 0 };
}

/**
 * The worst message of 16 KB takes 20 ms: a thousand parts. The caller bounds the signatures: those of 29 KB, made of white space,
 * take mailauth 270 ms, and those of 4 KB take 5 ms.
 */
export const arrivedMessageParser: Parser<ArrivedQuestion, ParsedArrival> = {
  url: import.meta.url,
  parse,
  maxInlineBytes: 16 * 1024,
};

/** A message with more parts than anybody reads keeps its header fields. */
function readOrHeader(bytes: Uint8Array): Pick<ReadableMessage, 'fields' | 'files'> {
  try {
    return readMessage(bytes);
  } catch (error) {
    if (!(error instanceof MimeTooComplexError)) throw error;
    try {
      const end = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).indexOf('\r\n\r\n');
      return { fields: readMessage(bytes.subarray(0, end < 0 ? 0 : end + 2)).fields, files: [] };
    } catch {
      return { fields: [], files: [] };
    }
  }
}

function fieldsOf({ fields }: Pick<ReadableMessage, 'fields'>): Omit<ArrivedFacts, 'attachments'> {
  const values = new Map<string, string[]>();
  for (const { name, value } of fields) {
    const key = name.toLowerCase();
    const list = values.get(key);
    if (list === undefined) values.set(key, [value]);
    else list.push(value);
  }
  const addresses = (name: string): string[] =>
    readMailboxes((values.get(name) ?? []).map(utf8))
      .slice(0, maxAddresses)
      .map(({ address }) => address);
  const first = (name: string): string | undefined => values.get(name)?.[0];
  const references = [...messageIdsIn(first('references') ?? ''), ...messageIdsIn(first('in-reply-to') ?? '')];
  const messageId = messageIdsIn(first('message-id') ?? '')[0] ?? shownText(first('message-id'), maxMessageIdLength);
  const from = addresses('from');
  return {
    from: from[0] ?? '',
    authors: from,
    to: addresses('to'),
    cc: addresses('cc'),
    bcc: addresses('bcc'),
    replyTo: addresses('reply-to'),
    subject: shownText(first('subject')),
    messageId,
    threadId: threadIdOf(references[0] ?? messageId),
  };
}

/** Header bytes are shown as UTF-8 where they are valid (RFC 6532). */
function utf8(value: string): string {
  return /[\x80-\xff]/.test(value) ? Buffer.from(value, 'latin1').toString('utf8') : value;
}

/** A UUID of version 8 (RFC 9562 section 5.8). */
function threadIdOf(root: string): string | null {
  if (root === '') return null;
  const bits = createHash('sha256').update(root).digest('hex');
  return `${bits.slice(0, 8)}-${bits.slice(8, 12)}-8${bits.slice(13, 16)}-8${bits.slice(17, 20)}-${bits.slice(20, 32)}`;
}

/** Message ids with their brackets, as far as they can be stored. */
function messageIdsIn(value: string): string[] {
  const found: string[] = [];
  for (let open = value.indexOf('<'); open >= 0 && found.length < maxReferences; open = value.indexOf('<', open + 1)) {
    const close = value.indexOf('>', open);
    if (close < 0) break;
    const id = value.slice(open, close + 1);
    if (/^<[^\s<>\u0000-\u001f]+>$/.test(id) && id.length <= maxMessageIdLength) found.push(utf8(id).toWellFormed());
  }
  return found;
}

async function described(
  contentId: string,
  index: number,
  file: MessageFile,
  detects: boolean,
): Promise<ReceivedAttachment> {
  const content = file.content();
  const { contentDisposition } = file;
  return {
    id: attachmentId(contentId, index),
    filename: file.filename === null ? null : storable(file.filename),
    size: content.length,
    contentType: storable(file.contentType),
    detectedType: detects ? await detectedType(content) : null,
    contentId: file.contentId === null ? null : storable(file.contentId),
    contentDisposition:
      contentDisposition === 'inline' || contentDisposition === 'attachment' ? contentDisposition : null,
  };
}

async function detectedType(content: Uint8Array): Promise<string | null> {
  const { fileTypeFromBuffer } = await import('file-type');
  try {
    return (await fileTypeFromBuffer(content.subarray(0, examinedBytes)))?.mime ?? null;
  } catch {
    return null;
  }
}

function storable(text: string): string {
  return text
    .replace(/[\u0000-\u001f\u007f]+/g, ' ')
    .slice(0, 1_000)
    .toWellFormed();
}

/**
 * The id of an attachment, the same on every read: a UUIDv7 of the email's time, with random bits derived from the content and
 * the position.
 */
export function attachmentId(contentId: string, index: number): string {
  const bits = createHash('sha256').update(`${contentId}/${index}`).digest('hex');
  return `${contentId.slice(0, 13)}-7${bits.slice(0, 3)}-8${bits.slice(3, 6)}-${bits.slice(6, 18)}`;
}
