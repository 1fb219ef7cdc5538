import { RecipientConsents } from '#audience';
import { Transaction } from '#kernel';
import { SuppressedAddresses } from '#suppressions';
import { AcceptedEmail, EnvelopeRecipient } from '../../domain/accepted-email.js';
import { noticeOfOrigin, testAddressNotice } from '../../domain/suppressed-recipient.js';
import { testAddressRole } from '../../domain/test-addresses.js';
import { failedBecause, Withheld } from '../../domain/withheld-recipient.js';

/** A recipient to be screened. */
export interface ScreenedRecipient {
  readonly teamId: string;
  readonly address: string;
  /** Null for mail without a topic. */
  readonly topicId: string | null;
}

/** Why nothing may be sent to a recipient; undefined where it may get the email. */
export type Verdict = (recipient: ScreenedRecipient) => Withheld | undefined;

/**
 * Step of acceptance: finds recipients that are suppressed, or that do not want the email's topic (docs/wire-contract.md
 * section 7.5), with one read for each of both and all the emails. Mail without a topic costs no read of the audience.
 *
 * Scheduled mail is screened when it is due. The suppression list does not apply to test addresses, so that they behave
 * in the same way every time a customer runs tests.
 */
export class RecipientScreening {
  constructor(
    private readonly suppressed: SuppressedAddresses,
    private readonly consents: RecipientConsents,
    private readonly testDomains: readonly string[],
  ) {}

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

  async verdicts(recipients: readonly ScreenedRecipient[], transaction: Transaction): Promise<Verdict> {
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

  private async unwilling(
    recipients: readonly ScreenedRecipient[],
    transaction: Transaction,
  ): Promise<ReadonlyMap<string, Withheld>> {
    const asked = recipients.filter(({ topicId }) => topicId !== null);
    const unwilling = new Map<string, Withheld>();
    if (asked.length === 0) return unwilling;
    const consents = await this.consents.of(asked, transaction);
    asked.forEach((recipient, index) => {
      const { unsubscribed = false, subscription = null } = consents[index] ?? {};
      if (subscription === 'opt_in' && !unsubscribed) return;
      const reason = subscription === null ? 'topic_deleted' : unsubscribed ? 'unsubscribed' : 'not_subscribed';
      unwilling.set(keyOf(recipient), failedBecause(reason));
    });
    return unwilling;
  }
}

/** The email with what keeps its recipients from getting it. */
export function screened(accepted: AcceptedEmail, verdict: Verdict): AcceptedEmail {
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
