import { AttachmentRequest, decodeAttachments, maxRecipients, maxSubjectLength } from '#emails';
import { isUuid, mailboxField, storableField, ValidationError } from '#kernel';
import type { Text as BodyText } from '#kernel';
import { decodeBody } from '#http/server';
import { Example, ListOf, LongText, OptionalText, Shape, Text, TextMap, TextOrTexts } from '#http/openapi';
import { ChangedFiles, DraftChanges, NewDraft } from '../../application/drafts.use-case.js';
import { DraftContent, maxDraftBodyBytes, maxFileBytes, maxFiles } from '../../domain/draft.js';
import { EmptyDraftError, HalfReplyError, NoDraftChangesError, TooManyFilesError } from '../../domain/draft-errors.js';

const megabyte = 1024 * 1024;
const bodySize = `\`html\` and \`text\` of a draft have at most ${maxDraftBodyBytes / megabyte} MB together.`;
const contentFields = ['to', 'cc', 'bcc', 'subject', 'html', 'text', 'attachments'] as const;

@Shape('A file of a draft: one that is added, or the `id` of one that stays.')
class DraftFileRequest extends AttachmentRequest {
  @OptionalText('Alone: the file of the draft that has this id stays. Only in a change.') id?: string;
}

/** Fields of a draft, all of which may be absent, or null. */
abstract class DraftFields {
  @TextOrTexts(`Recipients. \`to\`, \`cc\` and \`bcc\` together have at most ${maxRecipients}.`, {
    optional: true,
    nullable: true,
    minItems: 0,
    maxItems: maxRecipients,
  })
  to?: string | string[];
  @TextOrTexts('Copy recipients.', { optional: true, nullable: true, minItems: 0, maxItems: maxRecipients })
  cc?: string | string[];
  @TextOrTexts('Blind-copy recipients, which no other recipient sees.', {
    optional: true,
    nullable: true,
    minItems: 0,
    maxItems: maxRecipients,
  })
  bcc?: string | string[];
  @Text(`Subject line without line breaks, at most ${maxSubjectLength} characters.`, {
    optional: true,
    boundedByDomain: { maxLength: maxSubjectLength },
    nullable: true,
  })
  subject?: string;
  @LongText(`HTML body. ${bodySize}`, { optional: true, nullable: true }) html?: BodyText;
  @LongText('Plain text body.', { optional: true, nullable: true }) text?: BodyText;
  @ListOf(
    DraftFileRequest,
    `Files, at most ${maxFiles} of ${maxFileBytes / megabyte} MB together. Each needs a \`filename\`, and either ` +
      '`content` with `content_type`, or a `path`, from which the file is fetched at once.',
    { optional: true, boundedByDomain: { maxItems: maxFiles }, nullable: true },
  )
  attachments?: unknown[];
}

@Shape('A draft. At least one of `to`, `cc`, `bcc`, `subject`, `text`, `html` and `attachments` is required.')
@Example('new', 'An email that begins a thread', {
  to: ['ada@customer.example'],
  subject: 'Your order',
  text: 'It arrives on Friday.',
})
export class CreateDraftRequest extends DraftFields {
  @Text('The thread in which it is a reply; together with `reply_to_email_id`.', { optional: true, format: 'uuid' })
  thread_id?: string;
  @Text('The email of the thread that it answers; together with `thread_id`.', { optional: true, format: 'uuid' })
  reply_to_email_id?: string;
}

@Shape(
  'Changes of a draft, at least one. Absent fields stay as they are, null clears a field. `attachments` replaces all files, except those that it names by `id`.',
)
@Example('text', 'Another text and no copies', { text: 'It arrives on Saturday.', cc: null })
export class UpdateDraftRequest extends DraftFields {}

@Shape('How a draft is sent. The body may be left out.')
@Example('plain', 'As it is', {})
export class SendDraftRequest {
  @TextMap('Further headers by name. `In-Reply-To`, `References` and `Reply-To` are set by the service.', {
    optional: true,
  })
  headers?: Record<string, string>;
}

export function decodeNewDraft(body: unknown): NewDraft {
  const request = decodeBody(CreateDraftRequest, body);
  const { to = null, cc = [], bcc = [], subject = null, html = null, text = null } = contentOf(request);
  const { uploads: attachments, keptIds } = filesOf(request.attachments);
  if (keptIds.length > 0) throw new ValidationError('A new draft has no files yet that it could keep by `id`.');
  const texts = [subject, html, text].filter((field) => field !== null);
  if ([...texts, ...(to ?? []), ...cc, ...bcc, ...attachments].length === 0) throw new EmptyDraftError();
  return { to, cc, bcc, subject, html, text, attachments, reply: replyOf(request) };
}

export function decodeDraftChanges(body: unknown): DraftChanges {
  const request = decodeBody(UpdateDraftRequest, body);
  const given = body as Record<string, unknown>;
  const isGiven = contentFields.some((field) => given[field] === null || request[field] !== undefined);
  if (!isGiven) throw new NoDraftChangesError();
  return {
    ...(given.to === null ? { to: null } : {}),
    ...(given.cc === null ? { cc: [] } : {}),
    ...(given.bcc === null ? { bcc: [] } : {}),
    ...(given.subject === null ? { subject: null } : {}),
    ...(given.html === null ? { html: null } : {}),
    ...(given.text === null ? { text: null } : {}),
    ...contentOf(request),
    ...(given.attachments === null ? { attachments: filesOf([]) } : {}),
    ...(request.attachments === undefined ? {} : { attachments: filesOf(request.attachments) }),
  };
}

/** The headers of a draft that is sent. Clients leave out the body. */
export function decodeDraftHeaders(body: unknown): Readonly<Record<string, string>> {
  return decodeBody(SendDraftRequest, body ?? {}).headers ?? {};
}

/** The fields that are given. */
function contentOf({ to, cc, bcc, subject, html, text }: DraftFields): Partial<DraftContent> {
  checkCount(to, cc, bcc);
  return {
    ...(to === undefined ? {} : { to: orNull(mailboxesOf('to', to)) }),
    ...(cc === undefined ? {} : { cc: mailboxesOf('cc', cc) }),
    ...(bcc === undefined ? {} : { bcc: mailboxesOf('bcc', bcc) }),
    ...(subject === undefined ? {} : { subject: subjectOf(subject) }),
    ...(html === undefined ? {} : { html: storableField('html', html.toString()) }),
    ...(text === undefined ? {} : { text: storableField('text', text.toString()) }),
  };
}

function checkCount(...fields: readonly (string | readonly string[] | undefined)[]): void {
  const count = fields.reduce((sum, field) => sum + listOf(field).length, 0);
  if (count <= maxRecipients) return;
  throw new ValidationError(`An email may have at most ${maxRecipients} recipients in \`to\`, \`cc\` and \`bcc\`.`);
}

function mailboxesOf(field: string, value: string | readonly string[]): readonly string[] {
  return listOf(value).map((text) => mailboxField(field, text));
}

export const listOf = (value: string | readonly string[] | undefined): readonly string[] =>
  value === undefined ? [] : typeof value === 'string' ? [value] : value;

function orNull(texts: readonly string[]): readonly string[] | null {
  return texts.length === 0 ? null : texts;
}

function subjectOf(text: string): string {
  if (/[\r\n]/.test(text)) throw new ValidationError('The `subject` field must not contain line breaks.');
  if (text.length <= maxSubjectLength) return storableField('subject', text);
  throw new ValidationError(`The \`subject\` field may have at most ${maxSubjectLength} characters.`);
}

function filesOf(items: readonly unknown[] = []): ChangedFiles {
  if (items.length > maxFiles) throw new TooManyFilesError();
  const keptIds = items.filter(isKept).map(({ id }) => idField('id', id));
  const given = items.filter((item) => !isKept(item));
  const uploads = (decodeAttachments(given) ?? []).map((attachment, index) => {
    const { filename } = attachment;
    if (filename === undefined) throw new ValidationError('An attachment of a draft must have a `filename`.');
    const { content_type: contentType } = given[index] as { readonly content_type?: unknown };
    if ('content' in attachment && (contentType === undefined || contentType === null || contentType === '')) {
      throw new ValidationError('An attachment of a draft with `content` must have a `content_type`.');
    }
    return { ...attachment, filename };
  });
  return { uploads, keptIds };
}

function isKept(item: unknown): item is { readonly id: string } {
  if (typeof item !== 'object' || item === null || !('id' in item) || typeof item.id !== 'string') return false;
  return !('content' in item) && !('path' in item);
}

function replyOf({ thread_id: thread, reply_to_email_id: email }: CreateDraftRequest): NewDraft['reply'] {
  if (thread === undefined && email === undefined) return undefined;
  if (thread === undefined || email === undefined) throw new HalfReplyError();
  return { threadId: idField('thread_id', thread), emailId: idField('reply_to_email_id', email) };
}

function idField(field: string, id: string): string {
  if (!isUuid(id)) throw new ValidationError(`The \`${field}\` must be a valid UUID.`);
  return id.toLowerCase();
}
