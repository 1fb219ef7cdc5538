import { Transaction } from '#kernel';
import { SuppressedAddresses } from '#suppressions';
import { AcceptedEmail, EnvelopeRecipient } from '../../domain/accepted-email.js';
import { noticeOfOrigin, SuppressionNotice, testAddressNotice } from '../../domain/suppressed-recipient.js';
import { testAddressRole } from '../../domain/test-addresses.js';

/**
 * Step of acceptance: finds suppressed recipients, with one read for all the emails.
 *
 * Scheduled mail is screened when it is due. The suppression list does not apply to test addresses, so that they behave
 * in the same way every time a customer runs tests.
 */
export class RecipientScreening {
  constructor(
    private readonly suppressed: SuppressedAddresses,
    private readonly testDomains: readonly string[],
  ) {}

  async screen(emails: readonly AcceptedEmail[], transaction: Transaction): Promise<readonly AcceptedEmail[]> {
    const due = emails.filter(({ email }) => email.scheduledAt === null);
    const noticeOf = await this.notices(
      due.flatMap(({ email, recipients }) => recipients.map(({ address }) => ({ teamId: email.teamId, address }))),
      transaction,
    );
    return emails.map((accepted) => (accepted.email.scheduledAt === null ? screened(accepted, noticeOf) : accepted));
  }

  /**
   * Returns a function that tells why nothing may be sent to an address; undefined for an address that is not
   * suppressed.
   */
  async notices(
    addresses: readonly { readonly teamId: string; readonly address: string }[],
    transaction: Transaction,
  ): Promise<(teamId: string, address: string) => SuppressionNotice | undefined> {
    const list = await this.suppressed.among(
      addresses.filter(({ address }) => testAddressRole(address, this.testDomains) === undefined),
      transaction,
    );
    return (teamId, address) => {
      if (testAddressRole(address, this.testDomains) === 'suppressed') return testAddressNotice;
      const origin = list.originOf(teamId, address);
      return origin === undefined ? undefined : noticeOfOrigin(origin);
    };
  }
}

function screened(
  accepted: AcceptedEmail,
  noticeOf: (teamId: string, address: string) => SuppressionNotice | undefined,
): AcceptedEmail {
  const { email } = accepted;
  const recipients: EnvelopeRecipient[] = accepted.recipients.map(({ no, address }) => {
    const suppression = noticeOf(email.teamId, address);
    return suppression === undefined ? { no, address } : { no, address, suppression };
  });
  if (recipients.every(({ suppression }) => suppression === undefined)) return accepted;
  const all = recipients.every(({ suppression }) => suppression !== undefined);
  return { ...accepted, recipients, email: all ? { ...email, lastEvent: 'suppressed' } : email };
}
