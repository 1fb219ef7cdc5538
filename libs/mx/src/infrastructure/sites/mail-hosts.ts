import type { DaneRequirement } from './dane.js';

/** A host that receives mail for a domain. Its addresses are in the order in which they are to be tried. */
export interface MailHost {
  readonly name: string;
  readonly preference: number;
  readonly addresses: readonly string[];
  /** The requirement that its TLSA records set for every connection. */
  readonly dane?: DaneRequirement;
}

/** The route of a domain's mail. `undeliverable` is valid until the DNS changes. */
export type MailRoute =
  | { readonly kind: 'hosts'; readonly hosts: readonly MailHost[] }
  | { readonly kind: 'undeliverable'; readonly enhancedCode: string; readonly reason: string };

/**
 * RFC 5321 section 5.1: lowest preference first. Hosts with equal preference are in random order, so that they share
 * the load.
 */
export function inOrderOfPreference(hosts: readonly MailHost[], random: () => number = Math.random): MailHost[] {
  return hosts
    .map((host) => ({ host, key: random() }))
    .sort((a, b) => a.host.preference - b.host.preference || a.key - b.key)
    .map(({ host }) => host);
}

/** Alternates IPv6 and IPv4 addresses, IPv6 first (RFC 8305 section 4). */
export function interleaved(ipv6: readonly string[], ipv4: readonly string[]): string[] {
  const addresses: string[] = [];
  for (let index = 0; index < Math.max(ipv6.length, ipv4.length); index++) {
    addresses.push(...ipv6.slice(index, index + 1), ...ipv4.slice(index, index + 1));
  }
  return addresses;
}

/** The name of the site: domains with the same mail hosts share a site, its connections and its limits. */
export function siteOf(hosts: readonly MailHost[]): string {
  return hosts
    .map(({ name }) => name)
    .sort()
    .join(',');
}
