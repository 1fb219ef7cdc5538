import { ValidationError } from '#kernel';

const fieldName = /^[\x21-\x39\x3b-\x7e]{1,76}$/;
export const maxHeaders = 100;
export const maxValueLength = 8_000;
export const maxHeadersLength = 64_000;

/** Headers that the service writes itself. Custom values for them are refused, not silently dropped. */
const reserved = new Set([
  'from',
  'to',
  'cc',
  'bcc',
  'reply-to',
  'subject',
  'sender',
  'date',
  'return-path',
  'received',
  'dkim-signature',
  'mime-version',
  'content-type',
  'content-transfer-encoding',
]);

/** Checks custom headers: valid names, no line breaks or NUL in values, no header that the service writes itself. */
export function checkHeaders(
  headers: Readonly<Record<string, string>> | undefined,
): Readonly<Record<string, string>> | null {
  if (headers === undefined) return null;
  const entries = Object.entries(headers);
  if (entries.length === 0) return null;
  if (entries.length > maxHeaders) {
    throw new ValidationError(`The \`headers\` field may have at most ${maxHeaders} headers.`);
  }
  if (entries.reduce((sum, [name, value]) => sum + name.length + value.length, 0) > maxHeadersLength) {
    throw new ValidationError(`The headers of the \`headers\` field are longer than ${maxHeadersLength} characters.`);
  }
  return Object.fromEntries(entries.map(([name, value]) => [headerName(name), headerValue(name, value)]));
}

function headerName(name: string): string {
  if (!fieldName.test(name))
    throw new ValidationError('The `headers` field has a name that is not a valid header name.');
  if (reserved.has(name.toLowerCase())) {
    throw new ValidationError(`The \`${name}\` header cannot be set through the \`headers\` field.`);
  }
  return name;
}

function headerValue(name: string, value: string): string {
  if (/[\u0000-\u0008\u000a-\u001f\u007f]/.test(value)) {
    throw new ValidationError(
      `The value of the \`${name}\` header must not contain line breaks or control characters.`,
    );
  }
  if (value.length > maxValueLength) {
    throw new ValidationError(`The value of the \`${name}\` header is longer than ${maxValueLength} characters.`);
  }
  return value.toWellFormed();
}
