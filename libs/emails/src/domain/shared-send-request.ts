import { MergeTemplate, MergeValues, mergeValues, ValidationError } from '#kernel';
import { AcceptedEmail, envelopeOf, Sender } from './accepted-email.js';
import { composedEmail, Draft, maxEmailBytes, maxSubjectLength, parseDraft } from './draft.js';
import { encodedSize } from './draft-attachment.js';
import { EmailTooLargeError, MissingBodyError } from './email-errors.js';
import { Tag } from './email.js';
import { refuseFakeRecipients } from './withheld-recipient.js';
import {
  checkMergeValues,
  maxSharedBodyBytes,
  PersonalBody,
  personalSubject,
  SharedContent,
  textOfValue,
} from './shared-content.js';
import { checkStorable } from './email-fields.js';
import { longestUnsubscribeValues } from './unsubscribe-tags.js';
import { TrackingChoice } from './tracking-choice.js';

/** A request to send shared content to many recipients. */
export interface SharedSendRequest {
  readonly from: string;
  readonly replyTo?: string | readonly string[];
  /** May have merge tags. */
  readonly subject: string;
  readonly content: SharedContent;
  readonly tags?: readonly Tag[];
  readonly tracking?: TrackingChoice;
  readonly scheduledAt?: Date;
  /** Bulk mail, such as that of a broadcast, waits behind transactional mail. Default: transactional. */
  readonly isBulk?: boolean;
  readonly recipients: readonly SharedRecipient[];
}

export interface SharedRecipient {
  readonly to: string;
  readonly values: MergeValues;
  /** Custom headers of this email only. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Emails of one transaction: many enough to be efficient, few enough to finish in some tens of milliseconds. */
export const maxSharedRecipients = 1_000;

/** The draft of one email, still without its content. */
export interface PersonalDraft extends Draft {
  readonly values: MergeValues;
}

/** Makes all checks that need only the request, and checks the size of each email with its values. */
export function parseSharedRequest(request: SharedSendRequest, now: Date): readonly PersonalDraft[] {
  const { content, recipients, from, replyTo, tags, tracking, scheduledAt } = request;
  if (recipients.length < 1 || recipients.length > maxSharedRecipients) {
    throw new ValidationError(`There must be between 1 and ${maxSharedRecipients} recipients.`);
  }
  if (content.html === undefined && (content.text ?? '') === '') throw new MissingBodyError();
  checkStorable('html', content.html);
  checkStorable('text', content.text);
  const subject = new MergeTemplate(request.subject, 'line');
  const body = new PersonalBody({ html: content.html ?? null, text: content.text ?? null });
  const attachments = encodedSize(content.attachments ?? []);
  return recipients.map(({ to, values, headers }) => {
    checkMergeValues(values);
    checkStorable('values', ...Object.keys(values), ...Object.values(values).map(textOfValue));
    const known = mergeValues(values);
    const bodyBytes = body.renderedBytes({ ...known, ...longestUnsubscribeValues });
    const personal = personalSubject(subject, known, maxSubjectLength);
    const draft = parseDraft(
      { from, to, replyTo, subject: personal, html: '', headers, tags, tracking, scheduledAt },
      now,
    );
    const size = draft.size + bodyBytes + attachments;
    if (bodyBytes > maxSharedBodyBytes || size > maxEmailBytes) throw new EmailTooLargeError();
    return { ...draft, values: known, size };
  });
}

/** Makes the emails. They still lack the content of their day. */
export function personalEmails(
  sender: Sender,
  drafts: readonly PersonalDraft[],
  isBulk: boolean,
  now: Date,
): readonly AcceptedEmail[] {
  return drafts.map((draft) => {
    const recipients = envelopeOf(draft.to);
    refuseFakeRecipients(recipients.map(({ address }) => address));
    const { email, region } = composedEmail(sender, { ...draft, attachments: [] }, recipients, now);
    return {
      email: { ...email, mergeValues: draft.values, isBulk: isBulk || null },
      region,
      body: { html: null, text: null },
      recipients,
      attachmentContents: [],
    };
  });
}
