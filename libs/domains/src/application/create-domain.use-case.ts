import { Clock, newId, Transaction, UnitOfWork } from '#kernel';
import { Injectable } from '@nestjs/common';
import { Domain, NewSigningKey } from '../domain/domain.js';
import { NewDomain } from '../domain/new-domain.js';
import { DomainDrafts } from './domain-drafts.js';
import { DomainRecords } from './domain-records.js';
import { NewSigningKeys, publicSideOf } from './new-signing-keys.js';
import { DomainRepository } from './ports/domain-repository.port.js';

/** A domain with the keys that belong to it, not stored yet. */
export interface PreparedDomain {
  readonly domain: Domain;
  readonly keys: readonly NewSigningKey[];
}

/** Registers a domain for a team, and generates the key pairs that sign its mail. */
@Injectable()
export class CreateDomain {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly domains: DomainRepository,
    private readonly newKeys: NewSigningKeys,
    private readonly records: DomainRecords,
    private readonly drafts: DomainDrafts,
    private readonly clock: Clock,
  ) {}

  async execute(teamId: string, request: NewDomain): Promise<Domain> {
    const prepared = await this.prepare(teamId, newId(this.clock.now().getTime()), request);
    await this.unitOfWork.run((transaction) => this.insert(prepared, transaction));
    return prepared.domain;
  }

  /** Validates the request and generates the keys before the transaction, because generating keys is slow. */
  async prepare(teamId: string, id: string, request: NewDomain): Promise<PreparedDomain> {
    const draft = this.drafts.draft(teamId, id, request, false);
    const now = draft.createdAt;
    const keys = [
      await this.newKeys.generate(draft, 'rsa-sha256', true, now),
      // Signs once its record has been seen: until then no receiver could verify the signature.
      await this.newKeys.generate(draft, 'ed25519-sha256', false, now),
    ];
    return { domain: { ...draft, checks: this.records.align(draft, keys.map(publicSideOf)) }, keys };
  }

  /** Throws DomainTakenError where any team has a domain of this name. */
  async insert({ domain, keys }: PreparedDomain, transaction: Transaction): Promise<void> {
    await this.domains.insert(domain, keys, transaction);
    await this.records.announce('domain.created', domain, keys.map(publicSideOf), domain.createdAt, transaction);
  }

  /** Creates the one domain that needs no DNS records: its mail goes to the built-in inbox only. */
  async createSandbox(teamId: string, name: string, transaction: Transaction): Promise<Domain> {
    const domain = this.drafts.draft(teamId, newId(this.clock.now().getTime()), { name }, true);
    const key = await this.newKeys.generate(domain, 'rsa-sha256', true, domain.createdAt);
    await this.domains.insert(domain, [key], transaction);
    return domain;
  }
}
