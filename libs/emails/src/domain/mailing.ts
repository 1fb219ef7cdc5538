import type { Actor } from '#identity';
import { DomainError, MergeTemplate, MergeValues, mergeValues, parseMailbox } from '#kernel';
import { AcceptedEmail, envelopeOf, Sender } from './accepted-email.js';
import { composedEmail, Draft, maxEmailBytes, maxSubjectLength, parseDraft } from './draft.js';
import { encodedSize } from './draft-attachment.js';
import { EmailTooLargeError, InvalidMailboxError, MissingBodyError } from './email-errors.js';
import { Tag } from './email.js';
import { refuseFakeRecipients } from './withheld-recipient.js';
import {
  checkMergeValues,
  maxSharedBodyBytes,
  PersonalBody,
  personalSubject,
  SharedContent,
  StoredContent,
  textOfValue,
} from './shared-content.js';
import { checkStorable } from './email-fields.js';
import { TrackingChoice } from './tracking-choice.js';
import { longestUnsubscribeValues } from './unsubscribe-tags.js';

/**
 * One content for any number of recipients, which are accepted slice by slice. It is bulk mail: see
 * docs/decisions/lanes.md.
 */
export interface Mailing {
  readonly teamId: string;
  /** Who started it, with the permission to. */
  readonly actor: Actor;
  readonly from: string;
  readonly replyTo?: readonly string[];
  /** May have merge tags. Each recipient gets one of them. */
  readonly subjects: readonly string[];
  readonly content: SharedContent;
  readonly topicId?: string;
  readonly tags?: readonly Tag[];
  readonly tracking?: TrackingChoice;
}

export interface MailingRecipient {
  readonly to: string;
  /** Values of all tags that the subject and the body may have. Only those of the body are stored. */
  readonly values: MergeValues;
  /** Index of its subject. */
  readonly subject: number;
}

/**
 * A mailing whose shared parts are checked and compiled once, so that a recipient costs only what is its own: its
 * address, its subject and its values.
 */
export class CompiledMailing {
  private readonly draft: Draft;
  private readonly subjects: readonly MergeTemplate[];
  private readonly body: PersonalBody;
  private readonly attachmentBytes: number;

  constructor(mailing: Mailing, now: Date) {
    const { content, subjects, from, replyTo, tags, tracking, topicId } = mailing;
    if (content.html === undefined && (content.text ?? '') === '') throw new MissingBodyError();
    checkStorable('html', content.html);
    checkStorable('text', content.text);
    const shared = { from, to: 'somebody@invalid.invalid', replyTo, subject: '', html: '', tags, tracking, topicId };
    this.draft = parseDraft(shared, now);
    this.subjects = subjects.map((subject) => new MergeTemplate(subject, 'line'));
    this.body = new PersonalBody({ html: content.html ?? null, text: content.text ?? null });
    this.attachmentBytes = encodedSize(content.attachments ?? []);
  }

  get from(): Draft['from'] {
    return this.draft.from;
  }

  /** Undefined if this recipient cannot get it: its address is invalid, or its values make the email too large. */
  email(sender: Sender, recipient: MailingRecipient, content: StoredContent, now: Date): AcceptedEmail | undefined {
    try {
      return this.checked(sender, recipient, content, now);
    } catch (error) {
      if (error instanceof DomainError) return undefined;
      throw error;
    }
  }

  private checked(
    sender: Sender,
    { to, values, subject }: MailingRecipient,
    content: StoredContent,
    now: Date,
  ): AcceptedEmail {
    const mailbox = parseMailbox(to);
    if (mailbox === undefined) throw new InvalidMailboxError('to');
    const known = mergeValues(values);
    const own = Object.fromEntries(Object.entries(known).filter(([name]) => this.body.tagNames.has(name)));
    checkMergeValues(own);
    checkStorable('values', ...Object.values(own).map(textOfValue));
    const bodyBytes = this.body.renderedBytes({ ...own, ...longestUnsubscribeValues });
    const size = this.draft.size + bodyBytes + this.attachmentBytes + to.length;
    if (bodyBytes > maxSharedBodyBytes || size > maxEmailBytes) throw new EmailTooLargeError();
    const recipients = envelopeOf([mailbox]);
    refuseFakeRecipients(recipients.map(({ address }) => address));
    const personal = personalSubject(
      this.subjects[subject] ?? (this.subjects[0] as MergeTemplate),
      known,
      maxSubjectLength,
    );
    const draft = { ...this.draft, to: [mailbox], subject: personal, attachments: [], size };
    const { email, region } = composedEmail(sender, draft, recipients, now);
    return {
      email: { ...email, contentId: content.id, attachments: content.attachments, mergeValues: own, isBulk: true },
      region,
      body: { html: null, text: null },
      recipients,
      attachmentContents: [],
    };
  }
}
