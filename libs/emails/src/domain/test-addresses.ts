import { domainOf } from '#kernel';

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
