import { formatMailbox, Mailbox, ValidationError } from '#kernel';
import { AcceptedEmail, EnvelopeRecipient, Sender, SpooledMime } from './accepted-email.js';
import { maxRecipients } from './draft.js';
import { Tag } from './email.js';
import { MissingSenderError } from './email-errors.js';
import { checkSchedule, checkStorable, checkTags } from './email-fields.js';
import { TrackingChoice, trackingField } from './tracking-choice.js';

/** A finished MIME message: the values of its header, and the content that is still to be read. */
export interface RawSendRequest {
  /** Valid addresses of the envelope. The header may name other addresses. */
  readonly recipients: readonly string[];
  /** Undefined if the header has no From field with exactly one usable address. */
  readonly from: Mailbox | undefined;
  readonly to: readonly Mailbox[];
  readonly cc: readonly Mailbox[];
  readonly replyTo: readonly Mailbox[];
  readonly subject: string;
  /** Message-ID of the header; undefined if there is none and the service adds one. */
  readonly messageId: string | undefined;
  readonly tags?: readonly Tag[];
  readonly scheduledAt?: Date;
  readonly tracking?: TrackingChoice;
  readonly idempotencyKey?: string;
  /** The value of {@link depthField} in the header. */
  readonly depth?: string;
  /** All bytes of the message, with CRLF line ends. Iterating throws if the message is invalid. */
  readonly content: AsyncIterable<Uint8Array>;
}

/** A raw request that has passed all checks of its header and envelope. */
export interface CheckedRawRequest extends RawSendRequest {
  readonly from: Mailbox;
  readonly checkedTags: readonly Tag[] | null;
  readonly dueAt: Date | null;
}

/** Header fields for options that API requests have as parameters. They are never sent on. */
export const controlFields = {
  idempotencyKey: 'resend-idempotency-key',
  tag: 'x-postrider-tag',
  scheduledAt: 'x-postrider-scheduled-at',
  tracking: trackingField,
} as const;

const dropped = new Set<string>([...Object.values(controlFields), 'bcc', 'resent-bcc', 'return-path']);

/** What programs tell other providers, and the recipients of the email should not read. */
const ofOthers =
  /^x-(?:smtpapi|ses-(?:message-tags|configuration-set)|pm-(?:tag|metadata-.+|message-stream|trackopens|tracklinks|keepid)|mailgun-(?:tag|variables|track|track-opens|track-clicks|deliver-by|dkim|require-tls|skip-verification))$/;

/**
 * True for fields that must not be sent: blind copies, control fields of this service and of other providers, and fields
 * that only the last hop writes (RFC 5321 section 4.4).
 */
export function isDroppedField(lowerName: string): boolean {
  return dropped.has(lowerName) || (lowerName.startsWith('x-') && ofOthers.test(lowerName));
}

/** Limit of addresses per field that an email record shows. A header may have thousands. */
const maxShown = 100;
const maxSubjectLength = 998;

export function checkRawRequest(request: RawSendRequest, now: Date): CheckedRawRequest {
  const { from } = request;
  if (from === undefined) throw new MissingSenderError();
  if (request.recipients.length === 0) throw new ValidationError('The email has no recipients.');
  if (request.recipients.length > maxRecipients) {
    throw new ValidationError(`An email may have at most ${maxRecipients} recipients.`);
  }
  checkTexts(request, from);
  const dueAt = request.scheduledAt === undefined ? null : checkSchedule(request.scheduledAt, now);
  return { ...request, from, checkedTags: checkTags(request.tags), dueAt };
}

/** A value that PostgreSQL cannot store would make the transaction fail that the email shares with others. */
function checkTexts(request: RawSendRequest, from: Mailbox): void {
  checkStorable('From', from.name, from.address);
  checkStorable('To', ...request.to.map(formatMailbox));
  checkStorable('Cc', ...request.cc.map(formatMailbox));
  checkStorable('Reply-To', ...request.replyTo.map(formatMailbox));
  checkStorable('Subject', request.subject);
  checkStorable('Message-ID', request.messageId);
  checkStorable('recipients', ...request.recipients);
}

/** Makes the email. Envelope recipients that the header does not name are blind copies. */
export function acceptedRawEmail(
  id: string,
  sender: Sender,
  request: CheckedRawRequest,
  recipients: readonly EnvelopeRecipient[],
  mime: SpooledMime,
  now: Date,
): AcceptedEmail {
  const named = new Set([...request.to, ...request.cc].map(({ address }) => address.toLowerCase()));
  const blind = recipients.map(({ address }) => address).filter((address) => !named.has(address.toLowerCase()));
  return {
    region: sender.region,
    email: {
      id,
      teamId: sender.teamId,
      domainId: sender.domainId,
      actor: sender.actor,
      messageId: request.messageId ?? `<${id}@${request.from.domain}>`,
      from: formatMailbox(request.from),
      to: shown(request.to),
      cc: orNull(shown(request.cc)),
      bcc: orNull(blind),
      replyTo: orNull(shown(request.replyTo)),
      subject: request.subject.slice(0, maxSubjectLength).toWellFormed(),
      headers: null,
      tags: request.checkedTags,
      attachments: null,
      topicId: null,
      tracking: request.tracking ?? null,
      scheduledAt: request.dueAt,
      contentId: null,
      mergeValues: null,
      lastEvent: request.dueAt === null ? 'sent' : 'scheduled',
      createdAt: now,
      size: mime.size,
    },
    body: { html: null, text: null },
    recipients,
    attachmentContents: [],
    mime,
  };
}

function shown(mailboxes: readonly Mailbox[]): string[] {
  return mailboxes.slice(0, maxShown).map(formatMailbox);
}

function orNull(texts: readonly string[]): readonly string[] | null {
  return texts.length === 0 ? null : texts;
}
