import { domainOf, ValidationError } from '#kernel';

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
