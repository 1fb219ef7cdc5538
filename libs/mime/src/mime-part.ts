import { base64Lines, encodeText, isSevenBit } from './body-encoding.js';
import { addFileName, addTypeName, percentEncoded } from './file-name-parameter.js';
import { FoldingField } from './header-field.js';

/** A file that is attached to a message. A file with a `contentId` is shown inside the html (`<img src="cid:...">`). */
export interface MimeAttachment {
  readonly filename?: string;
  /** A media type with or without parameters. An invalid one is replaced by `application/octet-stream`. */
  readonly contentType: string;
  readonly contentId?: string;
  readonly content: Uint8Array;
}

/** One MIME entity: its header fields with their CRLFs, and its body in pieces. */
export interface MimePart {
  readonly headers: string;
  readonly body: readonly (string | Uint8Array)[];
}

export interface LeafPart extends MimePart {
  /** False if the encoding excludes that the body contains a boundary. */
  readonly mayHoldBoundary: boolean;
}

const token = "[A-Za-z0-9!#$&^_.+'*-]{1,127}";
const parameters = `(?:; ?${token}=(?:${token}|"[\\x20\\x21\\x23-\\x5b\\x5d-\\x7e]{0,200}")){0,8}`;
const mediaType = new RegExp(`^${token}/${token}${parameters}$`);

export function textPart(subtype: 'plain' | 'html', text: string): LeafPart {
  const { encoding, content } = encodeText(text);
  return {
    headers: `Content-Type: text/${subtype}; charset=utf-8\r\nContent-Transfer-Encoding: ${encoding}\r\n`,
    body: [content],
    mayHoldBoundary: encoding === '7bit',
  };
}

export function attachmentPart(attachment: MimeAttachment): LeafPart {
  const { type, encoding } = transportOf(attachment);
  const headers =
    contentTypeHeader(type, attachment.filename) +
    `Content-Transfer-Encoding: ${encoding}\r\n` +
    contentIdHeader(attachment.contentId) +
    dispositionHeader(attachment);
  return {
    headers,
    body: [encoding === '7bit' ? attachment.content : base64Lines(attachment.content)],
    mayHoldBoundary: encoding === '7bit',
  };
}

export function multipart(subtype: string, boundary: string, parts: readonly MimePart[]): MimePart {
  const body: (string | Uint8Array)[] = [];
  for (const part of parts) {
    // The CRLF before a delimiter belongs to the delimiter (RFC 2046 section 5.1.1).
    body.push(`${body.length === 0 ? '' : '\r\n'}--${boundary}\r\n${part.headers}\r\n`, ...part.body);
  }
  body.push(`\r\n--${boundary}--\r\n`);
  return { headers: `Content-Type: multipart/${subtype};\r\n boundary="${boundary}"\r\n`, body };
}

/**
 * Attachments are encoded as base64. The exception: a `message/*` or `multipart/*` entity must not be encoded (RFC 2046
 * sections 5.1 and 5.2.1), so it is sent unchanged, or as a plain file where its bytes do not allow that.
 */
function transportOf(attachment: MimeAttachment): { type: string; encoding: '7bit' | 'base64' } {
  const type = mediaType.test(attachment.contentType) ? attachment.contentType : 'application/octet-stream';
  if (!/^(?:message|multipart)\//i.test(type)) return { type, encoding: 'base64' };
  if (/^message\/rfc822$/i.test(type) && isSevenBit(attachment.content)) return { type, encoding: '7bit' };
  return { type: 'application/octet-stream', encoding: 'base64' };
}

function contentTypeHeader(type: string, filename: string | undefined): string {
  const field = new FoldingField('Content-Type');
  const [essence = type, ...rest] = Array.from(type.matchAll(/[^;"]+(?:"[^"]*")?/g), ([part]) => part.trim());
  field.add(essence);
  for (const parameter of rest) {
    field.append(';');
    field.add(parameter);
  }
  const isNamed = rest.some((parameter) => /^name\*?[0-9*]*=/i.test(parameter));
  if (filename && !isNamed) addTypeName(field, filename);
  return field.toString();
}

function dispositionHeader(attachment: MimeAttachment): string {
  const field = new FoldingField('Content-Disposition');
  field.add(attachment.contentId ? 'inline' : 'attachment');
  if (attachment.filename) addFileName(field, attachment.filename);
  return field.toString();
}

/** Characters that a msg-id cannot contain are percent-encoded, as in the `cid:` URL (RFC 2392). */
function contentIdHeader(contentId: string | undefined): string {
  if (!contentId) return '';
  const id = contentId.replace(/^<|>$/g, '').replace(/[^\x21-\x3b\x3d\x3f-\x7e]/gu, percentEncoded);
  return `Content-ID: <${id.slice(0, 900)}>\r\n`;
}
