import { isIPv6 } from 'node:net';

/** A host of ours as receivers see it: a name, and the addresses that have it. */
export interface SourceHost {
  /** What EHLO says from there. */
  readonly heloName: string;
  readonly ipv4?: string;
  readonly ipv6?: string;
}

/** Which of our hosts the mail of a sender leaves from; none: whichever the operating system takes. */
export interface SourceTable {
  sourcesOf(senderHost: string): readonly SourceHost[];
}

export const noSources: SourceTable = { sourcesOf: () => [] };

/** The address to connect from, for one to connect to: both are of the same family. */
export function localAddressFor(source: SourceHost, remote: string): string | undefined {
  return isIPv6(remote) ? source.ipv6 : source.ipv4;
}

export function keyOf(source: SourceHost | undefined): string {
  return source === undefined ? '' : `${source.heloName} ${source.ipv4 ?? ''} ${source.ipv6 ?? ''}`;
}
