import type { DaneRequirement } from './dane.js';

/** A host that receives mail for a domain, with its addresses in the order in which they are to be tried. */
export interface MailHost {
  readonly name: string;
  readonly preference: number;
  readonly addresses: readonly string[];
  /** What its TLSA records demand of every connection to it. */
  readonly dane?: DaneRequirement;
}

/** Where the mail of a domain goes; `undeliverable` for as long as its DNS stays as it is. */
export type MailRoute =
  | { readonly kind: 'hosts'; readonly hosts: readonly MailHost[] }
  | { readonly kind: 'undeliverable'; readonly enhancedCode: string; readonly reason: string };

/** RFC 5321 section 5.1: lowest preference first, equals in random order so that they share the load. */
export function inOrderOfPreference(hosts: readonly MailHost[], random: () => number = Math.random): MailHost[] {
  return hosts
    .map((host) => ({ host, key: random() }))
    .sort((a, b) => a.host.preference - b.host.preference || a.key - b.key)
    .map(({ host }) => host);
}

/** IPv6 and IPv4 by turns, IPv6 first (RFC 8305 section 4). */
export function interleaved(ipv6: readonly string[], ipv4: readonly string[]): string[] {
  const addresses: string[] = [];
  for (let index = 0; index < Math.max(ipv6.length, ipv4.length); index++) {
    addresses.push(...ipv6.slice(index, index + 1), ...ipv4.slice(index, index + 1));
  }
  return addresses;
}

/** Domains with the same mail hosts share a site: its connections and its limits. */
export function siteOf(hosts: readonly MailHost[]): string {
  return hosts
    .map(({ name }) => name)
    .sort()
    .join(',');
}
