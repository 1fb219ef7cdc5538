import { isIPv6 } from 'node:net';
import { SiteProfiles } from './site-profiles.js';

/** One of our hosts as receivers see it: an EHLO name and its addresses. */
export interface SourceHost {
  /** The EHLO name of connections from this host. */
  readonly heloName: string;
  readonly ipv4?: string;
  readonly ipv6?: string;
}

/** The hosts that the mail of a sender may leave from. If there are none, the operating system chooses the address. */
export interface SourceTable {
  sourcesOf(senderHost: string): readonly SourceHost[];
}

export const noSources: SourceTable = { sourcesOf: () => [] };

/** The local address for a connection to `remote`: both are of the same family. */
export function localAddressFor(source: SourceHost, remote: string): string | undefined {
  return isIPv6(remote) ? source.ipv6 : source.ipv4;
}

export function keyOf(source: SourceHost | undefined): string {
  return source === undefined ? '' : `${source.heloName} ${source.ipv4 ?? ''} ${source.ipv6 ?? ''}`;
}

/** The rules that the operator may change while the program runs. */
export interface MxRules {
  readonly sources: SourceTable;
  readonly profiles: SiteProfiles;
}

export const shippedRules: MxRules = { sources: noSources, profiles: new SiteProfiles() };
