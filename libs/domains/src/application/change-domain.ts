import { DomainError, NotFoundError, Transaction, UnitOfWork } from '#kernel';
import { Injectable } from '@nestjs/common';
import { DkimKeyInfo, Domain } from '../domain/domain.js';
import { DomainRepository } from './ports/domain-repository.port.js';

export interface DomainWithKeys {
  readonly domain: Domain;
  readonly keys: readonly DkimKeyInfo[];
}

const maxTries = 5;

/**
 * Reads a domain, lets `decide` change it, and writes it. Where another request changed the domain meanwhile, starts
 * again with the new state, five tries in all.
 */
@Injectable()
export class ChangeDomain {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly domains: DomainRepository,
  ) {}

  /**
   * `decide` returns the domain as it should be, or the same object where nothing changes. `within` writes what belongs
   * to the change in the same transaction.
   */
  async execute<Decision extends { readonly domain: Domain }>(
    teamId: string,
    id: string,
    decide: (current: DomainWithKeys) => Promise<Decision> | Decision,
    within: (decision: Decision, transaction: Transaction) => Promise<void>,
  ): Promise<Domain> {
    for (let tries = 0; tries < maxTries; tries++) {
      const domain = await this.domains.read(id, teamId);
      if (domain === undefined) throw new NotFoundError('Domain');
      const decision = await decide({ domain, keys: await this.domains.keys(id) });
      if (decision.domain === domain) return domain;
      const isWritten = await this.unitOfWork.run(async (transaction) => {
        if (!(await this.domains.update(decision.domain, transaction))) return false;
        await within(decision, transaction);
        return true;
      });
      if (isWritten) return decision.domain;
    }
    throw new DomainError('conflict', 'resource_locked', 'The domain is being changed by other requests. Try again.');
  }
}
