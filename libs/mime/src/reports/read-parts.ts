import { decodeEncodedWords } from '../reading/decode-words.js';
import { decodeIfValid, decodeText as decodeCharset } from '../reading/charsets.js';

/**
 * Unfolded field values by lower-case name. Of several fields with one name, the first counts. A value is decoded only
 * when it is read, so that a header with thousands of other fields costs little.
 */
export class Fields {
  constructor(private readonly raw: ReadonlyMap<string, string>) {}

  has(name: string): boolean {
    return this.raw.has(name);
  }

  get(name: string): string | undefined {
    const value = this.raw.get(name);
    return value === undefined ? undefined : decodeValue(value.slice(0, maxValueLength).trim());
  }
}

export interface ReportPart {
  /** Media type in lower case, without parameters. */
  readonly type: string;
  /** Decoded text. A message inside the message is a leaf, too: its text is its source. */
  readonly text: string;
}

export interface ReadMessage {
  readonly fields: Fields;
  /** Value of `Content-Type`'s `report-type` (RFC 6522), in lower case. */
  readonly reportType: string | undefined;
  readonly leaves: readonly ReportPart[];
}

const maxDepth = 6;
const maxLeaves = 50;
/** Maximum length of a value. The rest has no useful information, and values are searched often. */
const maxValueLength = 4_000;

/**
 * Reads the parts of a message from any software, also of an invalid one: any kind of line ends, parts without an end,
 * wrong charsets. Never throws. The time is bounded by the size of the message.
 */
export function readParts(message: Uint8Array): ReadMessage {
  const source = Buffer.from(message).toString('latin1').replaceAll('\r\n', '\n').replaceAll('\r', '\n');
  const { fields, body } = splitEntity(source);
  const leaves: ReportPart[] = [];
  collect(fields, body, leaves, 0);
  return { fields, reportType: parameterOf(fields.get('content-type') ?? '', 'report-type')?.toLowerCase(), leaves };
}

/** Reads `Name: value` lines with their continuation lines. Other lines are skipped. */
export function readFields(section: string): Fields {
  const fields = new Map<string, string>();
  for (const line of section.replace(/\n[ \t]+/g, ' ').split('\n')) {
    const [, name, value = ''] = /^([!-9;-~]{1,80})[ \t]*:(.*)$/.exec(line) ?? [];
    if (name === undefined || fields.has(name.toLowerCase())) continue;
    fields.set(name.toLowerCase(), value);
  }
  return new Fields(fields);
}

function collect(fields: Fields, body: string, leaves: ReportPart[], depth: number): void {
  if (leaves.length >= maxLeaves) return;
  const contentType = fields.get('content-type') ?? 'text/plain';
  const type = (/^[^;\s]+/.exec(contentType)?.[0] ?? 'text/plain').toLowerCase();
  const boundary = type.startsWith('multipart/') && depth < maxDepth ? parameterOf(contentType, 'boundary') : undefined;
  if (boundary === undefined) {
    leaves.push({ type, text: decodeBody(body, fields.get('content-transfer-encoding') ?? '', contentType) });
    return;
  }
  const parts = partsOf(body, boundary);
  // The delimiters are others than the header says: what there is to read is in the text.
  if (parts.length === 0) leaves.push({ type: 'text/plain', text: decodeBody(body, '', contentType) });
  for (const part of parts) {
    const entity = splitEntity(part);
    collect(entity.fields, entity.body, leaves, depth + 1);
  }
}

function splitEntity(source: string): { readonly fields: Fields; readonly body: string } {
  // A part without fields begins with an empty line.
  const at = source.startsWith('\n') ? 0 : source.indexOf('\n\n');
  if (at < 0) return { fields: readFields(source), body: '' };
  return { fields: readFields(source.slice(0, at)), body: source.slice(at === 0 ? 1 : at + 2) };
}

function partsOf(body: string, boundary: string): string[] {
  const parts: string[] = [];
  const delimiter = `--${boundary}`;
  let current: string[] | undefined;
  for (const line of body.split('\n')) {
    if (line.startsWith(delimiter)) {
      if (current !== undefined) parts.push(current.join('\n'));
      if (line.startsWith('--', delimiter.length)) return parts;
      current = [];
      if (parts.length >= maxLeaves) return parts;
    } else {
      current?.push(line);
    }
  }
  // The multipart was truncated or has no closing delimiter: the last part is kept.
  if (current !== undefined) parts.push(current.join('\n'));
  return parts;
}

function parameterOf(contentType: string, name: string): string | undefined {
  const match = new RegExp(`;\\s*${name}\\s*=\\s*(?:"([^"]*)"|([^;\\s]+))`, 'i').exec(contentType);
  const value = match?.[1] ?? match?.[2];
  return value === '' ? undefined : value;
}

function decodeBody(body: string, encoding: string, contentType: string): string {
  const bytes = bytesOf(body, encoding.trim().toLowerCase());
  return decodeText(bytes, parameterOf(contentType, 'charset')).replaceAll('\r\n', '\n');
}

function bytesOf(body: string, encoding: string): Buffer {
  if (encoding === 'base64') return Buffer.from(body, 'base64');
  if (encoding !== 'quoted-printable') return Buffer.from(body, 'latin1');
  const decoded = body
    .replace(/=[ \t]*\n/g, '')
    .replace(/=([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return Buffer.from(decoded, 'latin1');
}

/** Decodes with the declared charset, or else as UTF-8 if that is valid, or else as Windows-1252, which is most common. */
function decodeText(bytes: Buffer, charset: string | undefined): string {
  const declared = /^(?:us-ascii|ascii|unknown.*)$/i.test(charset ?? 'us-ascii') ? 'utf-8' : (charset ?? 'utf-8');
  return decodeIfValid(bytes, declared) ?? decodeIfValid(bytes, 'utf-8') ?? decodeCharset(bytes, 'windows-1252');
}

function decodeValue(value: string): string {
  if (/[\x80-\xff]/.test(value)) return decodeText(Buffer.from(value, 'latin1'), 'utf-8');
  return value.includes('=?') ? decodeEncodedWords(value) : value;
}
