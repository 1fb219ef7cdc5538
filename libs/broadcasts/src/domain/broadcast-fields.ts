import {
  bytesOfText,
  checkTagCount,
  ContentOrigin,
  noContentOrigin,
  isUuid,
  mailboxField,
  MissingFieldError,
  originAfter,
  replyToField,
  storableField,
  ValidationError,
} from '#kernel';
import { BroadcastTooLargeError } from './broadcast-errors.js';
import { parseOptions, RequestedOptions } from './broadcast-options.js';
import { Broadcast, BroadcastContent, BroadcastOptions } from './broadcast.js';

/** The fields of a request to create or to change a broadcast. Absent fields stay as they are. */
export interface RequestedBroadcast {
  readonly name?: string;
  readonly segmentId?: string;
  /** Null: none. */
  readonly topicId?: string | null;
  readonly from?: string;
  readonly replyTo?: readonly string[];
  readonly subject?: string;
  readonly previewText?: string;
  readonly html?: string;
  /** Null: none was written, so that it is made of the html. */
  readonly text?: string | null;
  readonly options?: RequestedOptions;
}

/** What a request may change. */
export type BroadcastFields = BroadcastContent &
  ContentOrigin &
  Pick<Broadcast, 'name' | 'segmentId' | 'topicId'> & { readonly options: BroadcastOptions };

export const maxNameLength = 256;
export const maxSubjectLength = 998;
export const maxPreviewLength = 998;
/** Limit of html and text together. Mail programs cut off html of more than a tenth of it. */
export const maxContentBytes = 1024 * 1024;

const copySuffix = ' (copy)';
const maxCopyNameLength = 70;
const nothing = {
  ...noContentOrigin,
  name: null,
  topicId: null,
  replyTo: null,
  previewText: null,
  html: null,
  text: null,
  options: {},
};

/** The fields after a change, or those of a new broadcast. Makes all checks that need only the request. */
export function changedFields(requested: RequestedBroadcast, before?: BroadcastFields): BroadcastFields {
  const from = requested.from === undefined ? before?.from : mailboxField('from', requested.from);
  if (from === undefined) throw new MissingFieldError('from');
  const segmentId =
    requested.segmentId === undefined ? before?.segmentId : checkedId('segment_id', requested.segmentId);
  if (segmentId === undefined) throw new MissingFieldError('segment_id');
  const subject =
    requested.subject === undefined ? before?.subject : line('subject', requested.subject, maxSubjectLength);
  if (subject === undefined) throw new MissingFieldError('subject');
  const fields = { ...(before ?? nothing), ...optionalFields(requested), from, segmentId, subject };
  checkBodies(fields);
  return { ...fields, ...originAfter(before, fields) };
}

export function nameOf(requested: RequestedBroadcast): string | undefined {
  return requested.name === undefined ? undefined : line('name', requested.name, maxNameLength);
}

export function nameOfCopy(name: string | null, subject: string): string {
  return (name ?? subject).slice(0, maxCopyNameLength - copySuffix.length).toWellFormed() + copySuffix;
}

/** Whether a request changes nothing but the name. */
export function isOnlyRenaming({ name: _name, ...rest }: RequestedBroadcast): boolean {
  return Object.values(rest).every((field) => field === undefined);
}

function optionalFields(requested: RequestedBroadcast): Partial<BroadcastFields> {
  const { topicId, replyTo, previewText, html, text, options } = requested;
  const name = nameOf(requested);
  return {
    ...(name === undefined ? {} : { name }),
    ...(topicId === undefined ? {} : { topicId: topicId === null ? null : checkedId('topic_id', topicId) }),
    ...(replyTo === undefined ? {} : { replyTo: replyToField(replyTo) }),
    ...(previewText === undefined ? {} : { previewText: preview(previewText) }),
    ...(html === undefined ? {} : { html: storableField('html', html) }),
    ...(text === undefined ? {} : { text: text === null ? null : storableField('text', text) }),
    ...(options === undefined ? {} : { options: parseOptions(options) }),
  };
}

/** A draft may still be without a body: it may be composed in the editor, after it was created. */
export function checkBodies({ html, text }: Pick<BroadcastContent, 'html' | 'text'>): void {
  if (bytesOfText(html ?? '') + bytesOfText(text ?? '') > maxContentBytes) {
    throw new BroadcastTooLargeError(maxContentBytes);
  }
  checkTagCount('html', html);
  checkTagCount('text', text);
}

function checkedId(field: string, id: string): string {
  if (!isUuid(id)) throw new ValidationError(`The \`${field}\` must be a valid UUID.`);
  return id.toLowerCase();
}

/** White space alone takes the preview text away. */
function preview(text: string): string | null {
  const trimmed = line('preview_text', text, maxPreviewLength).trim();
  return trimmed === '' ? null : trimmed;
}

export function line(field: string, text: string, maxLength: number): string {
  if (/[\r\n\0]/.test(text)) throw new ValidationError(`The \`${field}\` field must not contain line breaks.`);
  if (text.length <= maxLength) return storableField(field, text);
  throw new ValidationError(`The \`${field}\` field may have at most ${maxLength} characters.`);
}
