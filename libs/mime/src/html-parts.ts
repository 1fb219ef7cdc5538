import { isUtf8 } from 'node:buffer';
import { encodeTextBytes } from './body-encoding.js';
import { type HeaderField, readHeaderFields, splitMessage } from './dkim-header.js';
import { decodeTransfer } from './transfer-decoding.js';

/** An html part that is shown and not attached. Text that is added to it must be ASCII. */
export interface HtmlPart {
  readonly text: string;
  /**
   * False if the charset is not UTF-8. The text then has one character per byte, and only its ASCII characters are
   * decoded.
   */
  readonly isDecoded: boolean;
  /** Encodes the part with other text, in a transfer encoding that fits the text. */
  encode(text: string): Buffer;
  /** Position of the part, including its header, in the message. */
  readonly start: number;
  readonly end: number;
}

/** Maximum depth and number of parts. A message with more is not changed. */
const maxDepth = 8;
const maxParts = 200;
/** Maximum number of lines that begin like a delimiter and are none. More of them are an attack. */
const maxFalseDelimiters = 10_000;
/** A larger html part is not changed. */
const maxHtmlBytes = 2 * 1024 * 1024;

const readable = new Set(['multipart/alternative', 'multipart/mixed', 'multipart/related']);
const signedOrEncrypted = /^(?:multipart\/(?:signed|encrypted)|application\/(?:x-)?(?:pkcs7-|pgp-))/;
/** Charsets in which a byte below 0x40 is always the ASCII character, so that markup can be told from text. */
const asciiCompatible =
  /^(?:us-ascii|utf-8|iso-8859-\d+|windows-125\d|koi8-[ru]|shift_jis|gb2312|gbk|gb18030|big5|euc-(?:jp|kr|tw))$/;

/**
 * The html parts of a complete message that can be changed safely, in order. There is none where the message is signed or
 * encrypted (S/MIME, PGP, DKIM), or where a part of it cannot be read with certainty.
 */
export function findHtmlParts(message: Uint8Array): readonly HtmlPart[] {
  const bytes = Buffer.from(message.buffer, message.byteOffset, message.byteLength);
  const walk = new Walk(bytes);
  return walk.entity(0, bytes.length, 0) ? walk.found : [];
}

/** The message with `bytes` in place of each of the parts. */
export function withParts(message: Uint8Array, parts: readonly (HtmlPart & { readonly bytes: Buffer })[]): Buffer {
  const pieces: Uint8Array[] = [];
  let from = 0;
  for (const { start, end, bytes } of parts) {
    pieces.push(message.subarray(from, start), bytes);
    from = end;
  }
  return Buffer.concat([...pieces, message.subarray(from)]);
}

class Walk {
  readonly found: HtmlPart[] = [];
  private count = 0;
  private falseDelimiters = 0;

  constructor(private readonly bytes: Buffer) {}

  /** Returns false if the message must not be changed. */
  entity(start: number, end: number, depth: number): boolean {
    if (depth > maxDepth || ++this.count > maxParts) return false;
    const { headerEnd, bodyStart } = splitMessage(this.bytes.subarray(start, end));
    const header = this.bytes.toString('latin1', start, start + headerEnd);
    const fields = readHeaderFields(header);
    if (fields.some(({ lowerName }) => lowerName === 'dkim-signature')) return false;
    const { value: type, parameters } = parameterised(valueOf(fields, 'content-type') ?? 'text/plain');
    if (signedOrEncrypted.test(type)) return false;
    if (type.startsWith('multipart/')) {
      return !readable.has(type) || this.parts(start + bodyStart, end, parameters.get('boundary'), depth);
    }
    if (type === 'text/html' && isShown(fields, parameters)) {
      this.add({ start, bodyStart: start + bodyStart, end, header, fields, charset: parameters.get('charset') });
    }
    return true;
  }

  private parts(start: number, end: number, boundary: string | undefined, depth: number): boolean {
    if (boundary === undefined || boundary === '' || boundary.length > 200) return false;
    const area = this.bytes.subarray(start, end);
    const delimiter = `--${boundary}`;
    let partStart: number | undefined;
    for (let at = this.delimiter(area, delimiter, 0); at !== undefined;) {
      // The line end before a delimiter belongs to the delimiter.
      const partEnd = start + Math.max(partStart ?? 0, at - 2);
      if (partStart !== undefined && !this.entity(start + partStart, partEnd, depth + 1)) return false;
      const behind = at + delimiter.length;
      if (area.toString('latin1', behind, behind + 2) === '--') return partStart !== undefined;
      const lineEnd = area.indexOf('\r\n', behind, 'latin1');
      if (lineEnd < 0) return false;
      partStart = lineEnd + 2;
      at = this.delimiter(area, delimiter, partStart);
    }
    // A multipart without its closing delimiter was truncated, or was read wrongly.
    return false;
  }

  /** Position of the next line that is this delimiter. */
  private delimiter(area: Buffer, text: string, from: number): number | undefined {
    for (let at = area.indexOf(text, from, 'latin1'); at >= 0; at = area.indexOf(text, at + 1, 'latin1')) {
      const behind = at + text.length;
      const isLine = at === 0 || (area[at - 1] === 0x0a && area[at - 2] === 0x0d);
      if (isLine && /^(?:--)?[ \t]*(?:\r\n|$)/.test(area.toString('latin1', behind, behind + 80))) return at;
      if (++this.falseDelimiters > maxFalseDelimiters) return undefined;
    }
    return undefined;
  }

  private add(part: {
    start: number;
    bodyStart: number;
    end: number;
    header: string;
    fields: readonly HeaderField[];
    charset: string | undefined;
  }): void {
    const charset = (part.charset ?? 'us-ascii').toLowerCase();
    const field = part.fields.find(({ lowerName }) => lowerName === 'content-transfer-encoding');
    const encoding = (field === undefined ? '7bit' : withoutComment(contentOf(field))).toLowerCase();
    if (part.end - part.bodyStart > maxHtmlBytes || !asciiCompatible.test(charset)) return;
    const body = decodeTransfer(this.bytes.subarray(part.bodyStart, part.end), encoding);
    if (body === undefined || body.includes('-----BEGIN PGP ')) return;
    const isDecoded = (charset === 'utf-8' || charset === 'us-ascii') && isUtf8(body);
    const format = isDecoded ? 'utf8' : 'latin1';
    this.found.push({
      text: body.toString(format),
      isDecoded,
      start: part.start,
      end: part.end,
      encode: (changed) => {
        const encoded = encodeTextBytes(Buffer.from(changed, format), encoding);
        const header = encoded.encoding === encoding ? part.header : withEncoding(part.header, field, encoded.encoding);
        return Buffer.concat([Buffer.from(`${header}\r\n`, 'latin1'), encoded.content]);
      },
    });
  }
}

/** Whether the part is neither an attachment nor has a file name. */
function isShown(fields: readonly HeaderField[], typeParameters: ReadonlyMap<string, string>): boolean {
  const disposition = parameterised(valueOf(fields, 'content-disposition') ?? 'inline');
  return (
    disposition.value === 'inline' && ![...disposition.parameters.keys(), ...typeParameters.keys()].some(isFileName)
  );
}

function isFileName(parameter: string): boolean {
  return /^(?:file)?name(?:\*|$)/.test(parameter);
}

/** Sets the transfer encoding in a header. The header ends with its last CRLF and does not include the empty line. */
function withEncoding(header: string, field: HeaderField | undefined, encoding: string): string {
  const written = `Content-Transfer-Encoding: ${encoding}`;
  if (field === undefined) return `${header}${written}\r\n`;
  const at = `\r\n${header}`.indexOf(`\r\n${field.raw}\r\n`);
  return header.slice(0, at) + written + header.slice(at + field.raw.length);
}

function valueOf(fields: readonly HeaderField[], name: string): string | undefined {
  const field = fields.find(({ lowerName }) => lowerName === name);
  return field === undefined ? undefined : contentOf(field);
}

function contentOf({ raw }: HeaderField): string {
  return raw
    .slice(raw.indexOf(':') + 1)
    .replaceAll('\r\n', '')
    .trim();
}

function withoutComment(text: string): string {
  return text.replace(/\([^()]*\)/g, '').trim();
}

/** Parses `value; name=value; name="value"` (RFC 2045 section 5.1). Names and the first value become lower case. */
function parameterised(text: string): { value: string; parameters: ReadonlyMap<string, string> } {
  const parameters = new Map<string, string>();
  const [value = ''] = text.split(';', 1);
  const rest = text.slice(value.length, value.length + 4_000);
  for (const [, name = '', quoted, plain = ''] of rest.matchAll(
    /;[ \t]*([^\s=;"]{1,80})[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]*))/g,
  )) {
    const lower = name.toLowerCase();
    if (!parameters.has(lower)) parameters.set(lower, quoted === undefined ? plain : quoted.replace(/\\(.)/g, '$1'));
  }
  return { value: withoutComment(value).toLowerCase(), parameters };
}
