import { MultipartBody } from '#http/server';
import { DomainError, ValidationError } from '#kernel';
import { NoCounterpartError } from '../wire-emails.js';

/** A message of 10 MB, the maximum of theirs, with all of its base64 that a form escapes. */
const maxFormBytes = 16 * 1024 * 1024;
/** A bulk of 50 destinations, each with 50 recipients and 50 tags. */
const maxFields = 8_000;
const namespace = 'http://ses.amazonaws.com/doc/2010-12-01/';

/** A refusal that has its own name in both versions. */
export class SesError extends DomainError {
  constructor(
    readonly errorCode: string,
    message: string,
  ) {
    super('invalid', 'validation_error', message);
  }
}

/** The parameters of a request, by their names: `Destination.ToAddresses.member.1`. Those without a value are left out. */
export type QueryParameters = ReadonlyMap<string, string>;

/** Reads a whole form. The bytes that it keeps are charged to the owner of the body. */
export async function readQuery(body: unknown, onChunk: (chunk: Buffer) => void): Promise<QueryParameters> {
  if (!(body instanceof MultipartBody)) throw new SesError('MissingAction', 'The request must be a form.');
  const parameters = new Map<string, string>();
  const limits = { files: [], maxFiles: 0, maxFileBytes: 0, maxFieldBytes: maxFormBytes, maxFields };
  let held = 0;
  for await (const part of body.parts({ ...limits, maxBytes: maxFormBytes, onChunk })) {
    if (part.kind !== 'field' || part.value === '') continue;
    const { name } = part;
    if (parameters.has(name)) throw new ValidationError(`\`${name}\` is given twice.`);
    if (part.value.includes('\0')) throw new ValidationError(`\`${name}\` must not contain NUL.`);
    held += part.value.length;
    await body.keep(held);
    parameters.set(name, part.value.toWellFormed());
  }
  return parameters;
}

/**
 * The parameters as the object that JSON would have: `A.member.1.B` with the value `x` is `{ A: [{ B: 'x' }] }`. Refuses
 * those that are not `allowed`, where `[]` stands for the number of a member: `A[].B`.
 */
export function nestedParameters(parameters: QueryParameters, allowed: readonly string[]): Branch {
  const root: Branch = {};
  for (const [name, value] of parameters) {
    const form = name.replace(/\.member\.[1-9]\d{0,3}(?=\.|$)/g, '[]');
    if (name.includes('[') || !allowed.includes(form)) throw new NoCounterpartError(`\`${name}\``);
    const path = name.split('.');
    const last = path.pop() as string;
    path.reduce<Branch>((branch, step) => (branch[step] ??= {}) as Branch, root)[last] = value;
  }
  return withLists(root) as Branch;
}

type Branch = Record<string, unknown>;

/** Members are in the order of their numbers, as all such keys of an object are. There may be gaps. */
function withLists(value: unknown): unknown {
  if (typeof value !== 'object') return value;
  const { member, ...fields } = value as Branch;
  if (member !== undefined) return Object.values(member as Branch).map(withLists);
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, withLists(field)]));
}

/** The answer to an action. An array is an element for each of its items. */
export function answerXml(action: string, result: object, requestId: string): string {
  const parts = `${xml(`${action}Result`, result)}${xml('ResponseMetadata', { RequestId: requestId })}`;
  return `<${action}Response xmlns="${namespace}">${parts}</${action}Response>`;
}

export function errorXml(isFaultOfSender: boolean, code: string, message: string, requestId: string): string {
  const error = { Type: isFaultOfSender ? 'Sender' : 'Receiver', Code: code, Message: message };
  return `<ErrorResponse xmlns="${namespace}">${xml('Error', error)}${xml('RequestId', requestId)}</ErrorResponse>`;
}

/** The name in version 1 of a status of version 2: `NotStarted` for `NOT_STARTED`. */
export function queryNameOf(status: string): string {
  return status.toLowerCase().replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function xml(name: string, value: unknown): string {
  if (Array.isArray(value)) return value.map((item) => xml(name, item)).join('');
  if (value === undefined || value === null) return '';
  const content =
    typeof value === 'object'
      ? Object.entries(value).map(([field, item]) => xml(field, item))
      : [escaped((value as string | number | boolean).toString())];
  return `<${name}>${content.join('')}</${name}>`;
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Characters that XML 1.0 cannot have, even escaped, become U+FFFD. */
function escaped(text: string): string {
  return text
    .toWellFormed()
    .replace(/[&<>]/g, (one) => entities[one] as string)
    .replace(/[^\t\n\r\u0020-\uD7FF\uD800-\uDFFF\uE000-\uFFFD]/g, '\uFFFD');
}
