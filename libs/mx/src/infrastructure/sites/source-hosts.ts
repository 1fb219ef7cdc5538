import { isIPv6 } from 'node:net';
import { SiteProfiles } from './site-profiles.js';

/** One of our hosts as receivers see it: an EHLO name and its addresses. */
export interface SourceHost {
  /** The EHLO name of connections from this host. */
  readonly heloName: string;
  readonly ipv4?: string;
  readonly ipv6?: string;
  /** Its share of the mail, compared with the other hosts of the pool. Default: 1. */
  readonly weight?: number;
}

/** Whose mail leaves. */
export interface MailSender {
  /** Domain of the return path. */
  readonly host: string;
  readonly teamId: string;
  readonly domainId?: string;
  /** Whether the mail is of a broadcast. */
  readonly isBulk?: boolean;
  /** The tags of the email. Read only where a table asks for them: see `asksForTags`. */
  readonly tags?: readonly { readonly name: string; readonly value: string }[];
}

/** The hosts that the mail of a sender may leave from. */
export interface SourcePool {
  readonly name: string;
  /** Empty: none is usable now, and the mail has to wait. */
  readonly hosts: readonly SourceHost[];
}

/** Undefined: the sender has no pool, and the operating system chooses the address. */
export interface SourceTable {
  poolOf(sender: MailSender): SourcePool | undefined;
  /** Whether the pool of this mail depends on its tags. Absent: it never does. */
  asksForTags?(sender: MailSender): boolean;
}

export const noSources: SourceTable = { poolOf: () => undefined };

/** No address of the sender's pool can be used by this process now, or for these hosts. */
export class NoSourceError extends Error {
  constructor(pool: string, lacks = 'is ready to send') {
    super(`No address of the pool ${pool} ${lacks}`);
    this.name = 'NoSourceError';
  }
}

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

/**
 * Chooses source hosts in turns, each as often as its weight says, spread evenly: the host with the most credit goes, and
 * pays for what all of them were given.
 */
export class WeightedTurns {
  readonly #credits = new WeakMap<SourceHost, number>();

  /** `hosts` is not empty. */
  next(hosts: readonly SourceHost[]): SourceHost {
    let best = hosts[0] as SourceHost;
    let [bestCredit, total] = [-Infinity, 0];
    for (const host of hosts) {
      const weight = host.weight ?? 1;
      const credit = (this.#credits.get(host) ?? 0) + weight;
      this.#credits.set(host, credit);
      total += weight;
      if (credit > bestCredit) [best, bestCredit] = [host, credit];
    }
    this.#credits.set(best, bestCredit - total);
    return best;
  }
}
