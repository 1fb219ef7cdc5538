import { constants, hash, sign } from 'node:crypto';
import { dkimBodyHash } from './dkim-body-hash.js';
import { type HeaderField, readHeaderFields, relaxedField, selectSignedFields, splitMessage } from './dkim-header.js';
import type { DkimKey } from './dkim-key.js';

export interface SigningOptions {
  /** The `t=` of the signature. Default: now. */
  readonly timestamp?: Date;
  /** Result of `dkimBodyHashOf`, if the same body was hashed before, for example for another recipient. */
  readonly bodyHash?: string;
  /** Free bytes in front of the message in the same memory. Signatures that fit are written there. Default: 0. */
  readonly headRoom?: number;
}

/** Columns of a folded line of the signature, without its leading space. */
const lineWidth = 72;

/**
 * Signs a message with every key (RFC 6376, relaxed/relaxed; Ed25519 by RFC 8463). Returns it with the DKIM-Signature
 * fields in front, in the order of the keys. Without keys it returns the given message.
 *
 * Any bytes with CRLF line ends can be signed, including header-only messages, empty bodies and unknown fields. They
 * are not changed, with two exceptions: a missing line end is added to the last line (SMTP would add it anyway), and a
 * message without a body gets an empty line after its header, which some verifiers require.
 *
 * The body is hashed once for all keys. The signatures are made in libuv's thread pool: where an RSA-2048 signature
 * takes
 * 0.80 ms, the main thread spends 0.15 ms on a message of 9 KB, 0.03 ms of which start the work in the pool.
 */
export async function signMessage(
  message: Uint8Array,
  keys: readonly DkimKey[],
  options: SigningOptions = {},
): Promise<Uint8Array> {
  if (keys.length === 0) return message;
  const { headerEnd, bodyStart } = splitMessage(message);
  const bodyHash = options.bodyHash ?? dkimBodyHash(message.subarray(bodyStart));
  const header = await dkimSignatures(message.subarray(0, headerEnd), bodyHash, keys, options.timestamp);

  const ending = missingEnding(message, headerEnd);
  if (ending === '' && header.length <= (options.headRoom ?? 0)) return inFrontOf(message, header);
  const signed = Buffer.allocUnsafe(header.length + message.length + ending.length);
  signed.write(header, 0, 'latin1');
  signed.set(message, header.length);
  signed.write(ending, header.length + message.length, 'latin1');
  return signed;
}

/** Writes the header into the free memory in front of the message, so that the message is not copied. */
function inFrontOf(message: Uint8Array, header: string): Uint8Array {
  const signed = Buffer.from(message.buffer, message.byteOffset - header.length, header.length + message.length);
  signed.write(header, 0, 'latin1');
  return signed;
}

/** The body hash of a message, for `signMessage` of further messages with the same body. */
export function dkimBodyHashOf(message: Uint8Array): string {
  return dkimBodyHash(message.subarray(splitMessage(message).bodyStart));
}

/** The DKIM-Signature fields for a header section and a body hash, each with its CRLF. */
export function dkimSignatures(
  headerSection: Uint8Array,
  bodyHash: string,
  keys: readonly DkimKey[],
  timestamp: Date = new Date(),
): Promise<string> {
  const section = Buffer.from(headerSection.buffer, headerSection.byteOffset, headerSection.byteLength);
  const { names, canonical } = canonicalHeader(readHeaderFields(section.toString('latin1')));
  const fields = keys.map((key) => signedField(signatureField(key, names, bodyHash, timestamp), canonical, key));
  const [only] = fields;
  return only !== undefined && fields.length === 1 ? only : Promise.all(fields).then((all) => all.join(''));
}

function canonicalHeader(fields: readonly HeaderField[]): { names: string; canonical: string } {
  let names = '';
  let column = 'h='.length;
  let canonical = '';
  for (const { name, field } of selectSignedFields(fields)) {
    if (names !== '') {
      names += ':';
      column++;
      if (column + name.length > lineWidth) {
        names += '\r\n ';
        column = 0;
      }
    }
    names += name;
    column += name.length;
    if (field) canonical += `${relaxedField(field.raw)}\r\n`;
  }
  return { names, canonical };
}

/** The field with an empty `b=` (RFC 6376 section 3.5). `b=` is last, so that the signature can be appended. */
function signatureField(key: DkimKey, names: string, bodyHash: string, timestamp: Date): string {
  const seconds = Math.floor(timestamp.getTime() / 1000);
  return (
    `DKIM-Signature: v=1; a=${key.algorithm}; c=relaxed/relaxed;\r\n d=${key.domain};\r\n s=${key.selector}; t=${seconds};` +
    `\r\n h=${names};\r\n bh=${bodyHash};\r\n b=`
  );
}

function missingEnding(message: Uint8Array, headerEnd: number): string {
  const endsLine = message.at(-1) === 0x0a && message.at(-2) === 0x0d;
  if (headerEnd < message.length) return endsLine ? '' : '\r\n';
  return endsLine ? '\r\n' : '\r\n\r\n';
}

/** The field with its signature and CRLF. Ed25519 signs the SHA-256 hash of the data and not the data (RFC 8463 section 3). */
function signedField(unsigned: string, canonical: string, key: DkimKey): Promise<string> {
  const data = Buffer.from(canonical + relaxedField(unsigned), 'latin1');
  return new Promise((resolve, reject) => {
    const done = (error: Error | null, signature: Buffer) => {
      if (error) reject(error);
      else resolve(`${unsigned}${folded(signature.toString('base64'), 'b='.length + 1)}\r\n`);
    };
    startTogether(() => {
      try {
        if (key.algorithm === 'ed25519-sha256') sign(null, hash('sha256', data, 'buffer'), key.privateKey, done);
        else sign('sha256', data, { key: key.privateKey, padding: constants.RSA_PKCS1_PADDING }, done);
      } catch (error) {
        reject(new Error('The key is of another kind than its algorithm', { cause: error }));
      }
    });
  });
}

let toStart: (() => void)[] = [];

/**
 * Starts the signatures of one turn of the event loop one right after the other. Each that finds a thread asleep wakes it,
 * which costs both threads more than starting five signatures.
 */
function startTogether(start: () => void): void {
  if (toStart.push(start) > 1) return;
  process.nextTick(() => {
    const starts = toStart;
    toStart = [];
    for (const one of starts) one();
  });
}

function folded(text: string, column: number): string {
  let lines = text.slice(0, lineWidth - column);
  for (let at = lineWidth - column; at < text.length; at += lineWidth) {
    lines += `\r\n ${text.slice(at, at + lineWidth)}`;
  }
  return lines;
}
