import { AskedConsent, RecipientConsents } from '#audience';
import { Clock, NotFoundError, Transaction } from '#kernel';
import { SuppressedAddresses } from '#suppressions';
import { AcceptedEmail, EnvelopeRecipient } from '../domain/accepted-email.js';
import {
  failedBecause,
  noticeOfOrigin,
  testAddressNotice,
  testAddressRole,
  Withheld,
} from '../domain/withheld-recipient.js';

/** A recipient to be screened. */
export interface ScreenedRecipient {
  readonly teamId: string;
  readonly address: string;
  /** Null for mail without a topic. */
  readonly topicId: string | null;
  /** Bulk mail does not go to unsubscribed contacts, even if it has no topic. */
  readonly isBulk?: boolean;
}

/** How long a topic that was found counts as known. The transaction decides again, so that an old entry is harmless. */
const knownForMs = 60_000;
const maxKnown = 10_000;

/** Why nothing may be sent to a recipient; undefined if it may get the email. */
export type ScreeningVerdict = (recipient: ScreenedRecipient) => Withheld | undefined;

/**
 * Finds recipients that are suppressed, or that do not want the email's topic (docs/wire-contract.md
 * section 7.5), with one read for each of both and all the emails. Mail without a topic costs no read of the audience.
 *
 * Scheduled mail is screened when it is due. The suppression list does not apply to test addresses, so that they behave
 * in the same way every time a customer runs tests.
 */
export class RecipientScreening {
  private readonly topics = new Map<string, { readonly until: number; readonly exists: Promise<boolean> }>();

  constructor(
    private readonly suppressed: SuppressedAddresses,
    private readonly consents: RecipientConsents,
    private readonly testDomains: readonly string[],
    private readonly clock: Clock,
  ) {}

  /**
   * Throws for a topic that the team does not have. Requests with the same topic share one read, and it is read again
   * after a minute.
   */
  async requireTopic(teamId: string, topicId: string, address: string): Promise<void> {
    const key = `${teamId} ${topicId}`;
    const now = this.clock.now().getTime();
    const known = this.topics.get(key);
    const exists =
      known !== undefined && known.until > now ? known.exists : this.readTopic(key, { teamId, topicId, address }, now);
    if (!(await exists)) throw new NotFoundError('Topic');
  }

  /** Emails that are not scheduled, with what keeps their recipients from getting them. */
  async screen(emails: readonly AcceptedEmail[], transaction: Transaction): Promise<readonly AcceptedEmail[]> {
    const due = emails.filter(({ email }) => email.scheduledAt === null);
    const verdict = await this.verdicts(
      due.flatMap(({ email: { teamId, topicId }, recipients }) =>
        recipients.map(({ address }) => ({ teamId, address, topicId })),
      ),
      transaction,
    );
    return emails.map((accepted) => (accepted.email.scheduledAt === null ? screened(accepted, verdict) : accepted));
  }

  async verdicts(recipients: readonly ScreenedRecipient[], transaction: Transaction): Promise<ScreeningVerdict> {
    const [list, unwilling] = await Promise.all([
      this.suppressed.among(
        recipients.filter(({ address }) => testAddressRole(address, this.testDomains) === undefined),
        transaction,
      ),
      this.unwilling(recipients, transaction),
    ]);
    return (recipient) => {
      const { teamId, address } = recipient;
      if (testAddressRole(address, this.testDomains) === 'suppressed') {
        return { status: 'suppressed', data: { suppressed: testAddressNotice } };
      }
      const origin = list.originOf(teamId, address);
      if (origin !== undefined) return { status: 'suppressed', data: { suppressed: noticeOfOrigin(origin) } };
      return unwilling.get(keyOf(recipient));
    };
  }

  private readTopic(key: string, asked: AskedConsent, now: number): Promise<boolean> {
    const exists = this.consents.of([asked]).then(([consent]) => consent?.subscription != null);
    if (this.topics.size >= maxKnown) this.topics.clear();
    this.topics.set(key, { until: now + knownForMs, exists });
    // A topic that is created in a moment must be found at once.
    exists.then(
      (found) => found || this.topics.delete(key),
      () => this.topics.delete(key),
    );
    return exists;
  }

  private async unwilling(
    recipients: readonly ScreenedRecipient[],
    transaction: Transaction,
  ): Promise<ReadonlyMap<string, Withheld>> {
    const asked = recipients.filter(({ topicId, isBulk }) => topicId !== null || isBulk === true);
    const unwilling = new Map<string, Withheld>();
    if (asked.length === 0) return unwilling;
    const consents = await this.consents.of(asked, transaction);
    asked.forEach((recipient, index) => {
      const { unsubscribed = false, subscription = null } = consents[index] ?? {};
      if (!unsubscribed && (subscription === 'opt_in' || recipient.topicId === null)) return;
      const isTopicGone = recipient.topicId !== null && subscription === null;
      const reason = isTopicGone ? 'topic_deleted' : unsubscribed ? 'unsubscribed' : 'not_subscribed';
      unwilling.set(keyOf(recipient), failedBecause(reason));
    });
    return unwilling;
  }
}

/** The email with what keeps its recipients from getting it. */
export function screened(accepted: AcceptedEmail, verdict: ScreeningVerdict): AcceptedEmail {
  const { email } = accepted;
  const recipients: EnvelopeRecipient[] = accepted.recipients.map(({ no, address }) => {
    const withheld = verdict({ teamId: email.teamId, address, topicId: email.topicId });
    return withheld === undefined ? { no, address } : { no, address, withheld };
  });
  const statuses = recipients.map(({ withheld }) => withheld?.status);
  if (statuses.every((status) => status === undefined)) return accepted;
  if (statuses.includes(undefined)) return { ...accepted, recipients };
  const lastEvent = statuses.includes('failed') ? 'failed' : 'suppressed';
  return { ...accepted, recipients, email: { ...email, lastEvent } };
}

function keyOf({ teamId, address, topicId }: ScreenedRecipient): string {
  return `${teamId} ${topicId ?? ''} ${address.toLowerCase()}`;
}
