import { EncodedBytes, withoutDataUri } from '#kernel';
import { OptionalField, OptionalText, Shape } from '#http/openapi';
import { lookup } from 'mime-types';
import {
  maxContentIdLength,
  maxFileNameLength,
  maxPathLength,
  RequestedAttachment,
} from '../../domain/draft-attachment.js';
import { InvalidAttachmentError } from '../../domain/email-errors.js';

/** An attachment of a request: `content` or `path` is required. */
@Shape(
  'A file, given as `content` or as `path`. File types that run when they are opened, such as `.exe`, ' +
    'are refused.',
)
export class AttachmentRequest {
  @OptionalField(
    'The bytes in base64, also as a data URI; without `path`, "" is an empty file. Clients may also send them as an array of integers from 0 to 255.',
    { contentEncoding: 'base64' },
  )
  content?: string;
  @OptionalField(
    `An http or https URL of at most ${maxPathLength} characters that the service fetches before it ` +
      'accepts the email. Private addresses are refused.',
    { maxLength: maxPathLength },
  )
  path?: string;
  @OptionalField(`File name, at most ${maxFileNameLength} characters.`, { maxLength: maxFileNameLength })
  filename?: string;
  @OptionalText('Media type. Default: by the extension of the file name, or `application/octet-stream`.')
  content_type?: string;
  @OptionalField(
    `Makes the file inline: html refers to it as \`cid:<content_id>\`. At most ${maxContentIdLength} ` +
      'characters, printable ASCII without spaces. Angle brackets around it and `cid:` before it are left out.',
    { maxLength: maxContentIdLength },
  )
  content_id?: string;
}

export const maxAttachments = 100;
const base64 = /^[A-Za-z0-9+/_-]*={0,2}$/;

/** Decodes attachments in every form that clients send (docs/wire-contract.md section 7.3). */
export function decodeAttachments(items: readonly unknown[] | undefined): RequestedAttachment[] | undefined {
  if (items === undefined) return undefined;
  if (items.length > maxAttachments) {
    throw new InvalidAttachmentError(`An email may have at most ${maxAttachments} attachments.`);
  }
  return items.map(decodeAttachment);
}

function decodeAttachment(item: unknown): RequestedAttachment {
  if (typeof item !== 'object' || item === null)
    throw new InvalidAttachmentError('Every attachment must be an object.');
  const fields = item as Record<string, unknown>;
  const filename = optionalText('filename', fields.filename === false ? undefined : fields.filename);
  const contentType = optionalText('content_type', fields.content_type) ?? contentTypeOf(filename);
  const contentId = bare(
    optionalText('content_id', fields.content_id) ?? optionalText('inline_content_id', fields.inline_content_id),
  );
  const path = optionalText('path', fields.path);
  // Clients that write "" for absent fields give a path. Without one, it is an empty file.
  if (!isAbsent(fields.content) || (fields.content === '' && path === undefined)) {
    const content = bytesOf(fields.content);
    return { filename, contentId, content, contentType: contentType ?? 'application/octet-stream' };
  }
  if (path === undefined) throw new InvalidAttachmentError('An attachment must have a `content` or a `path`.');
  return { filename, contentId, path, contentType };
}

/**
 * Accepts a base64 string, an array of octets, the JSON form of a Node Buffer, or bytes that the body parser has
 * already decoded from any of them.
 */
function bytesOf(content: unknown): Uint8Array {
  if (typeof content === 'string') {
    const encoded = withoutDataUri(content);
    const text = /\s/.test(encoded) ? encoded.replace(/\s+/g, '') : encoded;
    if (!base64.test(text)) throw unreadableContent();
    return Buffer.from(text, 'base64');
  }
  const octets = bufferData(content) ?? content;
  if (octets instanceof EncodedBytes && octets.bytes !== undefined) return octets.bytes;
  if (!Array.isArray(octets) || !octets.every(isOctet)) throw unreadableContent();
  return Uint8Array.from(octets);
}

function bufferData(content: unknown): unknown {
  if (typeof content !== 'object' || content === null) return undefined;
  const { type, data } = content as { type?: unknown; data?: unknown };
  return type === 'Buffer' ? data : undefined;
}

function unreadableContent(): InvalidAttachmentError {
  return new InvalidAttachmentError('The `content` of an attachment is neither valid base64 nor an array of bytes.');
}

function isOctet(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 255;
}

function optionalText(field: string, value: unknown): string | undefined {
  if (isAbsent(value)) return undefined;
  if (typeof value !== 'string')
    throw new InvalidAttachmentError(`The \`${field}\` of an attachment must be a string.`);
  return value;
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

/** The id as it stands behind `cid:` in URLs, without the angle brackets of the header field. */
function bare(contentId: string | undefined): string | undefined {
  return contentId?.replace(/^cid:(?=.)/i, '').replace(/^<([^<>]+)>$/, '$1');
}

function contentTypeOf(filename: string | undefined): string | undefined {
  // `lookup` takes a name without a dot for an extension.
  return (filename?.includes('.') === true && lookup(filename)) || undefined;
}
