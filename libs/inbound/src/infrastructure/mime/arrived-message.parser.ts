import { createHash } from 'node:crypto';
import { MimeTooComplexError, readMailboxes, readMessage } from '#mime';
import type { MessageFile, ReadableMessage } from '#mime';
import type { Parser } from '#platform/parsing';
import type { ArrivedFacts } from '../../application/ports/message-judge.port.js';
import { claimsToBeFrom } from '../../domain/authentication-results.js';
import type { ReceivedAttachment } from '../../domain/received-email.js';
import type { ArcVerdict, AuthenticationResult, DkimVerdict } from '../../domain/verdicts.js';
import { automaticBy } from '../../domain/automatic-mail.js';
import { messageIdIn, messageKeyOf, messageKeysIn, utf8 } from './message-ids.js';
import { shownText } from './shown-text.js';

const resultsField = 'authentication-results';
/** `depthField` of the emails lib. Its front door would be loaded into each thread that parses. */
const lowerDepthField = 'x-postrider-depth';
const signatureFields = ['dkim-signature', 'arc-message-signature', 'arc-seal'];

export interface InspectedHeader {
  /** The header without results that claim to be ours. The same bytes if there are none. */
  readonly kept: Uint8Array;
  /** The number of servers that the message has passed. */
  readonly hops: number;
  /** The field that says that a program or a list has sent it, in lower case; null if none does. */
  readonly automatic: string | null;
  /** The value of the field in which this service counts automatic mail; null if there is none. */
  readonly depth: string | null;
  /** The number of `From` fields. */
  readonly authors: number;
  /** The number of DKIM and ARC signatures. */
  readonly signatures: number;
  /** Bytes of the signatures. */
  readonly signatureBytes: number;
}

/** Reads what the first look at a header needs. Takes linear time; all other bytes stay as they are. */
export function inspectHeader(header: Uint8Array, hostName: string): InspectedHeader {
  const text = Buffer.from(header.buffer, header.byteOffset, header.byteLength).toString('latin1');
  const kept: string[] = [];
  let hops = 0;
  let authors = 0;
  let signatures = 0;
  let signatureBytes = 0;
  let isCut = false;
  let automatic: string | null = null;
  let depth: string | null = null;
  for (const field of rawFieldsOf(text)) {
    const colon = field.indexOf(':');
    const name = colon < 0 ? '' : field.slice(0, colon).trimEnd().toLowerCase();
    if (name === 'received') hops++;
    if (name === 'from') authors++;
    automatic ??= automaticBy(name, field, colon + 1) ? name : null;
    if (name === lowerDepthField) depth ??= field.slice(colon + 1, colon + 201).trim();
    if (signatureFields.includes(name)) {
      signatures++;
      signatureBytes += field.length;
    }
    if (name === resultsField && claimsToBeFrom(field.slice(colon + 1), hostName)) isCut = true;
    else kept.push(field);
  }
  return {
    kept: isCut ? Buffer.from(kept.join(''), 'latin1') : header,
    hops,
    automatic,
    depth,
    authors,
    signatures,
    signatureBytes,
  };
}

/** The fields with their continuation lines and line ends. The empty line at the end is an item of its own. */
function* rawFieldsOf(text: string): Generator<string> {
  let start = 0;
  while (start < text.length) {
    let end = text.indexOf('\n', start) + 1;
    while (end > 0 && (text[end] === ' ' || text[end] === '\t')) end = text.indexOf('\n', end) + 1;
    if (end === 0) end = text.length;
    yield text.slice(start, end);
    start = end;
  }
}

export interface ArrivedQuestion {
  readonly contentId: string;
  /** The DNS records of the keys of its signatures; null if it has none that are to be verified. */
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
 * The worst message of 16 KB takes 20 ms: a thousand parts. The caller bounds the signatures: those of 29 KB, made of
 * white space, take mailauth 270 ms, and those of 4 KB take 5 ms.
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
  const named = [...messageKeysIn(first('references') ?? ''), ...messageKeysIn(first('in-reply-to') ?? '')];
  const messageId = messageIdIn(first('message-id') ?? '') ?? shownText(first('message-id'), maxMessageIdLength);
  const own = messageId === '' ? [] : [messageKeyOf(messageId)];
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
    threadId: named[0] ?? own[0] ?? null,
    threadKeys: [...new Set([...named.toReversed(), ...own])],
  };
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
 * The id of an attachment, the same on every read: a UUIDv7 of the email's time, with random bits derived from the
 * content and the position.
 */
export function attachmentId(contentId: string, index: number): string {
  const bits = createHash('sha256').update(`${contentId}/${index}`).digest('hex');
  return `${contentId.slice(0, 13)}-7${bits.slice(0, 3)}-8${bits.slice(3, 6)}-${bits.slice(6, 18)}`;
}

/** What the DNS has at a name. */
export type KeyRecord = { readonly text: string } | { readonly trouble: 'absent' | 'unavailable' };

export interface SignatureKeys {
  /** By name, in lower case. */
  readonly records: ReadonlyMap<string, KeyRecord>;
}

export interface SignatureResults {
  readonly dkim: readonly Omit<DkimVerdict, 'aligned'>[];
  readonly arc: ArcVerdict;
}

export const noSignatures: SignatureResults = { dkim: [], arc: { result: 'none', sets: 0 } };

/** The results of mailauth that are used here. */
interface VerifiedSignature {
  readonly signingDomain?: string;
  readonly selector?: string;
  readonly algo?: string;
  readonly status: { readonly result: string; readonly comment?: string | false; readonly underSized?: number };
}

/** Verifies the DKIM signatures and the ARC chain of a message with mailauth. */
export async function verifySignatures(bytes: Uint8Array, { records }: SignatureKeys): Promise<SignatureResults> {
  const [{ dkimVerify }, { arc }] = await Promise.all([
    import('mailauth/lib/dkim/verify.js'),
    import('mailauth/lib/arc/index.js'),
  ]);
  const resolver = async (name: string): Promise<string[][]> => {
    const record = records.get(name.trim().toLowerCase()) ?? { trouble: 'absent' };
    if ('text' in record) return [[record.text]];
    // The errors of Node's resolver, of which mailauth tells apart these two.
    throw Object.assign(new Error(`${name} has no TXT record`), {
      code: record.trouble === 'absent' ? 'ENODATA' : 'ETIMEOUT',
    });
  };
  const verified = await dkimVerify(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), { resolver });
  const results = verified.results as unknown as readonly VerifiedSignature[];
  return {
    dkim: results.filter(({ status }) => status.result !== 'none').map(verdictOf),
    arc: arcVerdict(await arc(verified.arc as never, { resolver })),
  };
}

function verdictOf({
  signingDomain = '',
  selector = '',
  algo = '',
  status,
}: VerifiedSignature): Omit<DkimVerdict, 'aligned'> {
  const base = { domain: signingDomain.toLowerCase(), selector };
  // RFC 8301 section 3.1: SHA-1 must not be accepted.
  if (/sha1$/i.test(algo)) return { ...base, result: 'policy', reason: 'signed with SHA-1' };
  // Anybody could have appended what the signature does not cover (RFC 6376 section 8.2).
  if ((status.underSized ?? 0) > 0) return { ...base, result: 'policy', reason: 'covers a part of the body only' };
  const reason = typeof status.comment === 'string' ? { reason: status.comment.slice(0, 100) } : {};
  const isAltered = status.comment === 'body hash did not verify';
  return { ...base, result: isAltered ? 'fail' : resultOf(status.result), ...reason };
}

function arcVerdict(result: {
  readonly status: { readonly result: string };
  readonly i?: number | false;
  readonly signature?: { readonly signingDomain?: string } | false;
}): ArcVerdict {
  const domain = result.signature ? result.signature.signingDomain : undefined;
  return {
    result: resultOf(result.status.result),
    sets: result.i || 0,
    ...(domain === undefined ? {} : { domain: domain.toLowerCase() }),
  };
}

const results: readonly string[] = ['pass', 'fail', 'neutral', 'none', 'policy', 'temperror', 'permerror', 'skipped'];

function resultOf(text: string): AuthenticationResult {
  return results.includes(text) ? (text as AuthenticationResult) : 'neutral';
}
