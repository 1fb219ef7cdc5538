import { domainOf, ValidationError } from '#kernel';

/** Domains that are used in documentation and tests. Mail to them only bounces, and damages the sender's reputation. */
const fakeDomains = new Set(['example.com', 'test.com']);

export function refuseFakeRecipients(addresses: readonly string[]): void {
  const fake = addresses.find((address) => fakeDomains.has(domainOf(address)));
  if (fake === undefined) return;
  throw new ValidationError(
    `Mail to ${domainOf(fake)} cannot be delivered. Use a testing address such as delivered@resend.dev instead.`,
  );
}
