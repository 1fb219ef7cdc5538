import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/**
 * AWS Signature Version 4, in the `Authorization` header. Whatever two readers could read in two ways is refused: a path
 * with empty segments or dots, a header that was signed and is not there, an unsigned payload, one in chunks.
 */

const maxSkewMs = 5 * 60_000;
const maxParameters = 50;
const algorithm = 'AWS4-HMAC-SHA256';
const form =
  /^AWS4-HMAC-SHA256 +Credential=([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\/(\d{8})\/([a-z0-9-]{1,30})\/ses\/aws4_request, *SignedHeaders=([a-z0-9;-]{1,2000}), *Signature=([0-9a-f]{64})$/;
const alwaysSigned = ['host', 'x-amz-date'];

export interface SignedRequest {
  readonly method: string;
  /** As the client has sent it. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

export interface ParsedSignature {
  /** The id of the API key. */
  readonly accessKeyId: string;
  readonly day: string;
  readonly region: string;
  readonly signedHeaders: readonly string[];
  readonly signature: string;
  /** `20261130T203959Z` */
  readonly date: string;
  /** The SHA-256 that the client says its body has. Undefined: it was signed and not sent. */
  readonly claimedHash: string | undefined;
}

/** Undefined: there is no signature, or none of this form. */
export function parsedSignature({ headers }: SignedRequest): ParsedSignature | undefined {
  const [, accessKeyId, day, region, signed, signature] = form.exec(single(headers.authorization) ?? '') ?? [];
  const date = single(headers['x-amz-date']);
  if (accessKeyId === undefined || signed === undefined || date === undefined) return undefined;
  const signedHeaders = signed.split(';');
  const claimedHash = single(headers['x-amz-content-sha256']);
  const needed = claimedHash === undefined ? alwaysSigned : [...alwaysSigned, 'x-amz-content-sha256'];
  const isSorted = signedHeaders.every((name, at) => at === 0 || (signedHeaders[at - 1] as string) < name);
  if (!isSorted || !needed.every((name) => signedHeaders.includes(name))) return undefined;
  if (claimedHash !== undefined && !/^[0-9a-f]{64}$/.test(claimedHash)) return undefined;
  return {
    accessKeyId,
    day: day as string,
    region: region as string,
    signedHeaders,
    signature: signature as string,
    date,
    claimedHash,
  };
}

/** Whether the request was signed now, and for its own day. */
export function isTimely({ date, day }: ParsedSignature, now: Date): boolean {
  const [, year, month, dayOfMonth, hour, minute, second] =
    /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(date) ?? [];
  const moment = Date.parse(`${year}-${month}-${dayOfMonth}T${hour}:${minute}:${second}Z`);
  return date.startsWith(day) && Math.abs(now.getTime() - moment) <= maxSkewMs;
}

/** Whether one of the secrets has signed the request. */
export function isSignedWith(
  secrets: readonly string[],
  request: SignedRequest,
  parsed: ParsedSignature,
  payloadHash: string,
): boolean {
  const canonical = canonicalRequest(request, parsed, payloadHash);
  if (canonical === undefined) return false;
  const { day, region, date, signature } = parsed;
  const scope = `${day}/${region}/ses/aws4_request`;
  const text = [algorithm, date, scope, sha256(canonical)].join('\n');
  return secrets.some((secret) => {
    const key = [day, region, 'ses', 'aws4_request'].reduce<string | Buffer>(
      (previous, part) => hmac(previous, part),
      `AWS4${secret}`,
    );
    return timingSafeEqual(hmac(key, text), Buffer.from(signature, 'hex'));
  });
}

function canonicalRequest(
  { method, url, headers }: SignedRequest,
  { signedHeaders }: ParsedSignature,
  payloadHash: string,
): string | undefined {
  const [path = '', query = ''] = splitOnce(url, '?');
  const uri = canonicalPath(path);
  const lines = signedHeaders.map((name) => {
    const value = single(headers[name]);
    return value === undefined ? undefined : `${name}:${value.trim().replace(/ {2,}/g, ' ')}\n`;
  });
  const parameters = canonicalQuery(query);
  if (uri === undefined || parameters === undefined || lines.includes(undefined)) return undefined;
  return [method, uri, parameters, lines.join(''), signedHeaders.join(';'), payloadHash].join('\n');
}

/** Each segment is encoded once more than in the request. */
function canonicalPath(path: string): string | undefined {
  const segments = path.split('/').slice(1);
  // Clients of version 1 post to `/`, which may stand after a base path.
  const named = segments.at(-1) === '' ? segments.slice(0, -1) : segments;
  const isPlain = named.every((segment) => segment !== '' && segment !== '.' && segment !== '..');
  return isPlain && path.startsWith('/') ? `/${segments.map(encoded).join('/')}` : undefined;
}

/** Undefined: it has more parameters than any request of SES. */
function canonicalQuery(query: string): string | undefined {
  if (query === '') return '';
  const parameters = query.split('&', maxParameters + 1);
  if (parameters.length > maxParameters) return undefined;
  const pairs = parameters.map((pair) => splitOnce(pair, '=').map((part) => encoded(decoded(part))));
  return pairs
    .map(([name = '', value = '']) => `${name}=${value}`)
    .sort((a, b) => (a < b ? -1 : 1))
    .join('&');
}

function splitOnce(text: string, separator: string): string[] {
  const at = text.indexOf(separator);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** RFC 3986: encodeURIComponent leaves four more characters than that. */
function encoded(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);
}

function single(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
