import { StsPolicy } from '../../domain/sts-policy.js';

/** A policy as it was fetched. */
export interface StoredStsPolicy extends StsPolicy {
  readonly domain: string;
  /** The id that the `_mta-sts` record announced when the policy was fetched. */
  readonly policyId: string;
  readonly fetchedAt: Date;
}

/**
 * Stores MTA-STS policies while they are valid. All workers share them and they survive a restart, so that an attacker
 * who blocks a second fetch gains nothing (RFC 8461 section 10.2).
 */
export abstract class StsPolicyStore {
  /** The stored policy of the domain that is valid at `now`. Domains are lower-case. */
  abstract find(domain: string, now: Date): Promise<StoredStsPolicy | undefined>;

  /** Replaces the policy of the domain. Expired policies are deleted some time later. */
  abstract save(policy: StoredStsPolicy): Promise<void>;
}
