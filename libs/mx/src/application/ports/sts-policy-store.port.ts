import { StsPolicy } from '../../domain/sts-policy.js';

/** A policy as it was fetched. */
export interface StoredStsPolicy extends StsPolicy {
  readonly domain: string;
  /** What `_mta-sts` announced when it was fetched. */
  readonly policyId: string;
  readonly fetchedAt: Date;
}

/**
 * Keeps MTA-STS policies for as long as they hold: all workers share them, and they survive a restart, since whoever can
 * hide a policy from its second fetch should gain nothing (RFC 8461 section 10.2).
 */
export abstract class StsPolicyStore {
  /** The policy of the domain that holds at `now`, if one is kept. Domains are lower-case. */
  abstract find(domain: string, now: Date): Promise<StoredStsPolicy | undefined>;

  /** Replaces what the domain had. Policies that no longer hold are forgotten at some time after. */
  abstract save(policy: StoredStsPolicy): Promise<void>;
}
