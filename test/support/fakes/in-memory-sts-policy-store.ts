import { StoredStsPolicy, StsPolicyStore } from '../../../libs/mx/src/application/ports/sts-policy-store.port.js';

/** Policies in memory. */
export class InMemoryStsPolicyStore extends StsPolicyStore {
  private readonly policies = new Map<string, StoredStsPolicy>();

  async find(domain: string, now: Date): Promise<StoredStsPolicy | undefined> {
    const policy = this.policies.get(domain);
    return policy !== undefined && policy.fetchedAt.getTime() + policy.maxAge * 1_000 > now.getTime()
      ? policy
      : undefined;
  }

  async save(policy: StoredStsPolicy): Promise<void> {
    this.policies.set(policy.domain, policy);
  }
}
