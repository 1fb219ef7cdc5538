import { formatMailbox, Mailbox, ValidationError } from '#kernel';
import { AcceptedEmail, EnvelopeRecipient, Sender, SpooledMime } from './accepted-email.js';
import { maxRecipients } from './draft.js';
import { Tag } from './email.js';
import { MissingSenderError } from './email-errors.js';
import { checkSchedule } from './schedule.js';
import { checkStorable } from './storable-text.js';
import { checkTags } from './tags.js';
import { TrackingChoice, trackingField } from './tracking-choice.js';

/** A finished MIME message as it came through a door: what its header says, and the content still to be read. */
export interface RawSendRequest {
  /** The envelope, each a usable address. The header may name others. */
  readonly recipients: readonly string[];
  /** Undefined where the header has no From field with exactly one usable address. */
  readonly from: Mailbox | undefined;
  readonly to: readonly Mailbox[];
  readonly cc: readonly Mailbox[];
  readonly replyTo: readonly Mailbox[];
  readonly subject: string;
  /** As the header has it; undefined where it has none and one is to be added. */
  readonly messageId: string | undefined;
  readonly tags?: readonly Tag[];
  readonly scheduledAt?: Date;
  readonly tracking?: TrackingChoice;
  readonly idempotencyKey?: string;
  /** All bytes of the message, line ends CRLF. Throws where they are not what they should be. */
  readonly content: AsyncIterable<Uint8Array>;
}

/** A raw request that can be accepted as far as its header and envelope can tell. */
export interface CheckedRawRequest extends RawSendRequest {
  readonly from: Mailbox;
  readonly checkedTags: readonly Tag[] | null;
  readonly dueAt: Date | null;
}

/** Fields by which a sender of finished MIME tells us what an API request has parameters for. They are never sent on. */
export const controlFields = {
  idempotencyKey: 'resend-idempotency-key',
  tag: 'x-postrider-tag',
  scheduledAt: 'x-postrider-scheduled-at',
  tracking: trackingField,
} as const;

const dropped = new Set<string>([...Object.values(controlFields), 'bcc', 'resent-bcc', 'return-path']);

/** What must not leave with the message: blind copies, our own fields, and what only a last hop writes (RFC 5321 4.4). */
export function isDroppedField(lowerName: string): boolean {
  return dropped.has(lowerName);
}

/** A header may name thousands; a record shows so many of them. */
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

/** One email with a value that cannot be stored would make the transaction fail that it shares with others. */
function checkTexts(request: RawSendRequest, from: Mailbox): void {
  checkStorable('From', from.name, from.address);
  checkStorable('To', ...request.to.map(formatMailbox));
  checkStorable('Cc', ...request.cc.map(formatMailbox));
  checkStorable('Reply-To', ...request.replyTo.map(formatMailbox));
  checkStorable('Subject', request.subject);
  checkStorable('Message-ID', request.messageId);
  checkStorable('recipients', ...request.recipients);
}

/** Recipients that the header does not name are blind copies. */
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
