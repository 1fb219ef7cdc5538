import { MimeTooComplexError, readable, readMessage } from '#mime';
import type { MessageFile } from '#mime';
import type { Parser } from '#platform/parsing';
import type { FileFacts, HtmlFacts, MessageFacts, SignatureFacts } from '../../domain/message-facts.js';
import { htmlFactsOf } from './html-facts.js';

export interface FactsOptions {
  /** The TXT records of DKIM keys, by name. */
  readonly keys: ReadonlyMap<string, string>;
}

/** The message has more parts or levels than any mail client reads. */
export interface Unreadable {
  readonly unreadable: string;
}

const maxFields = 200;
const maxValueLength = 1_000;
const maxTextLength = 20_000;
const maxFiles = 100;

/** Reads what the checks look at. Takes linear time for any message. */
export async function parse(bytes: Uint8Array, { keys }: FactsOptions): Promise<MessageFacts | Unreadable> {
  try {
    const { fields, files, html, text } = readMessage(bytes);
    const body = html();
    const htmlFacts = body === null ? null : htmlFactsOf(body.toString(), body.length);
    return {
      size: bytes.length,
      longestLine: longestLineOf(bytes),
      fields: fields.slice(0, maxFields).map(({ name, value }) => ({
        name: name.toLowerCase(),
        value: readable(value.slice(0, maxValueLength)),
      })),
      signatures: await signaturesOf(bytes, keys),
      html: htmlFacts,
      text: text()?.toString().slice(0, maxTextLength) ?? null,
      files: files.slice(0, maxFiles).map((file) => fileFacts(file, htmlFacts)),
    };
  } catch (error) {
    if (error instanceof MimeTooComplexError) return { unreadable: error.message };
    throw error;
  }
}

export const messageFactsParser: Parser<FactsOptions, MessageFacts | Unreadable> = {
  url: import.meta.url,
  parse,
  maxInlineBytes: 0,
};

/** Without CR and LF. */
function longestLineOf(bytes: Uint8Array): number {
  let longest = 0;
  for (let start = 0; start < bytes.length;) {
    const lineFeed = bytes.indexOf(0x0a, start);
    const end = lineFeed === -1 ? bytes.length : lineFeed;
    longest = Math.max(longest, end - start - (bytes[end - 1] === 0x0d ? 1 : 0));
    start = end + 1;
  }
  return longest;
}

/** Verified by mailauth, whose parsers and tables take 6 MB of memory, which only the thread has. */
async function signaturesOf(bytes: Uint8Array, keys: ReadonlyMap<string, string>): Promise<SignatureFacts[]> {
  const { dkimVerify } = await import('mailauth/lib/dkim/verify.js');
  const message = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  /** Behaves like Node's `resolveTxt`, including the error for absent records. */
  const resolver = (name: string): Promise<string[][]> => {
    const record = keys.get(name.trim().toLowerCase());
    if (record !== undefined) return Promise.resolve([[record]]);
    return Promise.reject(Object.assign(new Error(`${name} has no TXT record`), { code: 'ENODATA' }));
  };
  const { results } = await dkimVerify(message, { resolver });
  return results.flatMap((result) => {
    const { signingDomain, selector, algo, status, modulusLength } = result as typeof result & VerifiedSignature;
    if (signingDomain === undefined || selector === undefined) return [];
    return {
      domain: signingDomain.toLowerCase(),
      selector,
      algorithm: algo ?? '',
      isValid: status.result === 'pass',
      keyBits: (algo ?? '').startsWith('rsa') ? (modulusLength ?? null) : null,
    };
  });
}

interface VerifiedSignature {
  readonly signingDomain?: string;
  readonly selector?: string;
  readonly algo?: string;
  readonly modulusLength?: number;
}

function fileFacts(
  { filename, contentType, contentId, contentDisposition, content }: MessageFile,
  html: HtmlFacts | null,
): FileFacts {
  const isShown = contentId !== null && html?.images.some(({ source }) => source === `cid:${contentId}`) === true;
  return { filename, contentType, isInline: isShown || contentDisposition === 'inline', size: content().length };
}
