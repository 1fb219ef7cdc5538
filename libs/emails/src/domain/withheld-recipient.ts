import { domainOf, ValidationError } from '#kernel';

/** The data of the event of a suppressed recipient (docs/wire-contract.md section 22.4). */
interface SuppressionNotice {
  readonly message: string;
  readonly type: 'OnAccountSuppressionList' | 'Suppressed';
  readonly reason: 'previous_bounce' | 'previous_complaint' | 'manual';
  readonly diagnosticCode: readonly string[];
}

export function noticeOfOrigin(origin: 'bounce' | 'complaint' | 'manual'): SuppressionNotice {
  const type = 'OnAccountSuppressionList';
  switch (origin) {
    case 'bounce':
      return notice(type, 'previous_bounce', 'an earlier email to it bounced');
    case 'complaint':
      return notice(type, 'previous_complaint', 'its owner reported an earlier email as spam');
    case 'manual':
      return notice(type, 'manual', 'it was added to the suppression list');
  }
}

export const testAddressNotice: SuppressionNotice = notice('Suppressed', 'previous_bounce', 'it is a test address');

export const erasedNotice: SuppressionNotice = notice('Suppressed', 'manual', 'its data was erased');

function notice(
  type: SuppressionNotice['type'],
  reason: SuppressionNotice['reason'],
  because: string,
): SuppressionNotice {
  return { message: `Nothing was sent to this address: ${because}.`, type, reason, diagnosticCode: [] };
}

/**
 * Why nothing is sent to a recipient: the status that it gets, and the data of its event (docs/wire-contract.md section
 * 22.4).
 *
 * `unsubscribed`: wants no mail of the team except for what it asks for. `not_subscribed`: does not have the email's
 * topic, by its own choice or by the default of the topic. `topic_deleted`: nobody can say any more who has it.
 */
export type Withheld =
  | { readonly status: 'suppressed'; readonly data: { readonly suppressed: SuppressionNotice } }
  | { readonly status: 'failed'; readonly data: { readonly failed: { readonly reason: string } } };

export function failedBecause(
  reason: 'unsubscribed' | 'not_subscribed' | 'topic_deleted' | 'domain_deleted' | 'api_key_deleted',
): Withheld {
  return { status: 'failed', data: { failed: { reason } } };
}

/**
 * The behaviour of a test address (docs/wire-contract.md section 7.9). `unknown` is any other address of a test domain:
 * its mail must not leave the machine either, and bounces.
 */
export type TestAddressRole = 'delivered' | 'bounced' | 'complained' | 'suppressed' | 'unknown';

const labelled = /^(delivered|bounced|complained)(?:\+.*)?$/;

/** Undefined for an address that is no test address. `domains` are in lower case. */
export function testAddressRole(address: string, domains: readonly string[]): TestAddressRole | undefined {
  const domain = domainOf(address);
  if (!domains.includes(domain.toLowerCase())) return undefined;
  const local = address.slice(0, -domain.length - 1).toLowerCase();
  if (local === 'suppressed') return 'suppressed';
  return (labelled.exec(local)?.[1] as TestAddressRole | undefined) ?? 'unknown';
}

/** Domains that are used in documentation and tests. Mail to them only bounces, and damages the sender's reputation. */
const fakeDomains = new Set(['example.com', 'test.com']);

export function refuseFakeRecipients(addresses: readonly string[]): void {
  const fake = addresses.find((address) => fakeDomains.has(domainOf(address)));
  if (fake === undefined) return;
  throw new ValidationError(
    `Mail to ${domainOf(fake)} cannot be delivered. Use a testing address such as delivered@resend.dev instead.`,
  );
}
