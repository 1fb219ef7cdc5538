import { Transaction } from '#kernel';

/** Whose domain it is, for events and notices. */
export abstract class GuardedDomains {
  /** Undefined if the domain no longer exists. */
  abstract nameOf(domainId: string, transaction: Transaction): Promise<string | undefined>;

  /** Addresses of the owners and admins of a team, a few of them. */
  abstract addressesOf(teamId: string, transaction: Transaction): Promise<readonly string[]>;
}
