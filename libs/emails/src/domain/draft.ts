import {
  bytesOfText,
  formatMailbox,
  isUuid,
  LargeText,
  Mailbox,
  MissingFieldError,
  newId,
  parseMailbox,
  Text,
  ValidationError,
} from '#kernel';
import { Attachment, Tag } from './email.js';
import { EmailTooLargeError, InvalidMailboxError, MissingBodyError } from './email-errors.js';
import { checkAttachments, DraftAttachment, encodedSize, RequestedAttachment } from './draft-attachment.js';
import { checkHeaders } from './custom-headers.js';
import { checkSchedule, checkTags } from './email-fields.js';
import { TrackingChoice, trackingChoice, withoutTrackingField } from './tracking-choice.js';
import { AcceptedEmail, EnvelopeRecipient, Sender } from './accepted-email.js';

/** A send request with the right types. Nothing else has been checked. */
export interface SendRequest {
  readonly from?: string;
  readonly to?: string | readonly string[];
  readonly cc?: string | readonly string[];
  readonly bcc?: string | readonly string[];
  readonly replyTo?: string | readonly string[];
  readonly subject?: string;
  readonly html?: Text;
  readonly text?: Text;
  readonly headers?: Readonly<Record<string, string>>;
  readonly tags?: readonly Tag[];
  readonly attachments?: readonly RequestedAttachment[];
  readonly scheduledAt?: Date;
  readonly topicId?: string;
  readonly template?: TemplateReference;
  readonly tracking?: TrackingChoice;
}

/** A template in place of `html` and `text`. */
export interface TemplateReference {
  /** Its id or its alias. */
  readonly id: string;
  /** Values by the keys of its variables. */
  readonly variables: Readonly<Record<string, unknown>>;
}

/** A send request that has passed all checks that need only the request. */
export interface Draft {
  readonly from: Mailbox;
  readonly to: readonly Mailbox[];
  readonly cc: readonly Mailbox[];
  readonly bcc: readonly Mailbox[];
  readonly replyTo: readonly Mailbox[];
  readonly subject: string;
  readonly html: Text | null;
  readonly text: Text | null;
  readonly headers: Readonly<Record<string, string>> | null;
  readonly tags: readonly Tag[] | null;
  readonly attachments: readonly RequestedAttachment[];
  readonly scheduledAt: Date | null;
  readonly topicId: string | null;
  readonly tracking: TrackingChoice | null;
  /** Size in bytes for the limit of an email: bodies and custom headers as they are, attachments in base64. */
  readonly size: number;
}

/** A draft whose linked attachments have been fetched. */
export interface CompleteDraft extends Draft {
  readonly attachments: readonly DraftAttachment[];
}

/** `to`, `cc` and `bcc` together (docs/wire-contract.md section 6). */
export const maxRecipients = 50;
export const maxSubjectLength = 998;
export const maxEmailBytes = 40 * 1024 * 1024;

type FieldsOfEveryEmail = Required<Pick<SendRequest, 'from' | 'to' | 'subject'>>;

/** Throws if a field is absent that every email needs. Comes before the syntax of any field. */
export function requireFields<Fields extends Pick<SendRequest, keyof FieldsOfEveryEmail | 'html' | 'text'>>(
  request: Fields,
): asserts request is Fields & FieldsOfEveryEmail {
  if (request.from === undefined) throw new MissingFieldError('from');
  requireRecipient(request.to);
  if (request.subject === undefined) throw new MissingFieldError('subject');
  if (request.html === undefined && (request.text === undefined || request.text === '')) throw new MissingBodyError();
}

/** The only field that an email needs if it has a template, which may have all others. */
export function requireRecipient(to: SendRequest['to']): asserts to is FieldsOfEveryEmail['to'] {
  if (to === undefined || to.length === 0) throw new MissingFieldError('to');
}

/**
 * Makes all checks that need only the request, in the order in which the contract reports faults: required fields,
 * body, syntax of each field.
 */
export function parseDraft(request: SendRequest, now: Date): Draft {
  requireFields(request);

  const from = mailbox('from', request.from);
  const to = mailboxes('to', request.to);
  const cc = mailboxes('cc', request.cc);
  const bcc = mailboxes('bcc', request.bcc);
  if (to.length + cc.length + bcc.length > maxRecipients) {
    throw new ValidationError(`An email may have at most ${maxRecipients} recipients in \`to\`, \`cc\` and \`bcc\`.`);
  }

  const attachments = checkAttachments(request.attachments ?? []);
  const html = wellFormed(request.html);
  const text = wellFormed(request.text);
  const given = checkHeaders(request.headers);
  const headers = withoutTrackingField(given);
  const size =
    sizeOf(html) +
    sizeOf(text) +
    encodedSize(attachments) +
    sizeOf(JSON.stringify(headers)) +
    request.subject.length +
    lengthOf(request.to, request.cc, request.bcc, request.replyTo);
  if (size > maxEmailBytes) throw new EmailTooLargeError();

  return {
    from,
    to,
    cc,
    bcc,
    replyTo: mailboxes('reply_to', request.replyTo),
    subject: subject(request.subject),
    html,
    text,
    headers,
    tags: checkTags(request.tags),
    attachments,
    scheduledAt: request.scheduledAt === undefined ? null : checkSchedule(request.scheduledAt, now),
    topicId: request.topicId === undefined ? null : topicId(request.topicId),
    tracking: trackingChoice(request.tracking, given),
    size,
  };
}

function topicId(id: string): string {
  if (!isUuid(id)) throw new ValidationError('The `topic_id` must be a valid UUID.');
  return id.toLowerCase();
}

function mailbox(field: string, text: string): Mailbox {
  const parsed = parseMailbox(text);
  if (parsed === undefined) throw new InvalidMailboxError(field);
  return parsed;
}

function mailboxes(field: string, value: string | readonly string[] | undefined): Mailbox[] {
  if (value === undefined) return [];
  const texts = typeof value === 'string' ? [value] : value;
  if (texts.length > maxRecipients) {
    throw new ValidationError(`The \`${field}\` field may have at most ${maxRecipients} addresses.`);
  }
  return texts.map((text) => mailbox(field, text));
}

/** A line break would start a second header. */
function subject(text: string): string {
  if (/[\r\n\0]/.test(text)) throw new ValidationError('The `subject` field must not contain line breaks.');
  if (text.length > maxSubjectLength) {
    throw new ValidationError(`The \`subject\` field may have at most ${maxSubjectLength} characters.`);
  }
  return text.toWellFormed();
}

function lengthOf(...fields: readonly (string | readonly string[] | undefined)[]): number {
  return fields.flat().reduce((sum, text) => sum + (text?.length ?? 0), 0);
}

function wellFormed(text: Text | undefined): Text | null {
  if (text === undefined) return null;
  return text instanceof LargeText ? text : text.toWellFormed();
}

function sizeOf(text: Text | null): number {
  if (text === null) return 0;
  if (text.length > maxEmailBytes) throw new EmailTooLargeError();
  return bytesOfText(text);
}

/** Makes the email of a draft. Its ids contain the time `now`. */
export function composedEmail(
  sender: Sender,
  draft: CompleteDraft,
  recipients: readonly EnvelopeRecipient[],
  now: Date,
): AcceptedEmail {
  const id = newId(now.getTime());
  const attachmentContents = draft.attachments.map(({ content, filename, contentType, contentId }) => ({
    attachment: {
      id: newId(now.getTime()),
      filename: filename ?? null,
      contentType,
      contentId: contentId ?? null,
      size: content.length,
    } satisfies Attachment,
    content,
  }));
  return {
    region: sender.region,
    email: {
      id,
      teamId: sender.teamId,
      domainId: sender.domainId,
      actor: sender.actor,
      messageId: messageIdOf(draft, id),
      from: formatMailbox(draft.from),
      to: draft.to.map(formatMailbox),
      cc: mailboxesOrNull(draft.cc),
      bcc: mailboxesOrNull(draft.bcc),
      replyTo: mailboxesOrNull(draft.replyTo),
      subject: draft.subject,
      headers: draft.headers,
      tags: draft.tags,
      attachments: attachmentContents.length === 0 ? null : attachmentContents.map(({ attachment }) => attachment),
      topicId: draft.topicId,
      tracking: draft.tracking,
      scheduledAt: draft.scheduledAt,
      contentId: null,
      mergeValues: null,
      lastEvent: draft.scheduledAt === null ? 'sent' : 'scheduled',
      createdAt: now,
      size: draft.size,
    },
    body: { html: draft.html, text: draft.text },
    recipients,
    attachmentContents,
  };
}

/** Returns the sender's own Message-ID if the headers have a usable one. */
function messageIdOf(draft: Draft, id: string): string {
  const [, given] = Object.entries(draft.headers ?? {}).find(([name]) => name.toLowerCase() === 'message-id') ?? [];
  return given !== undefined && /^<[\x21-\x3b\x3d\x3f-\x7e]{1,250}>$/.test(given)
    ? given
    : `<${id}@${draft.from.domain}>`;
}

function mailboxesOrNull(mailboxes: readonly Mailbox[]): string[] | null {
  return mailboxes.length === 0 ? null : mailboxes.map(formatMailbox);
}
