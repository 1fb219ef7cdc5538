import { Clock, newId, Transaction, UnitOfWork, ValidationError } from '#kernel';
import { Injectable } from '@nestjs/common';
import { Domain, NewSigningKey } from '../domain/domain.js';
import { defaultReturnPath, NewDomain, parseNewName, settingsWith, subdomain } from '../domain/new-domain.js';
import { DomainRecords, registrableDomain } from './domain-records.js';
import { NewSigningKeys, publicSideOf } from './new-signing-keys.js';
import { DomainRepository } from './ports/domain-repository.port.js';
import { ServiceNames } from './ports/service-names.port.js';

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
    private readonly serviceNames: ServiceNames,
    private readonly clock: Clock,
  ) {}

  async create(teamId: string, request: NewDomain): Promise<Domain> {
    const prepared = await this.prepare(teamId, newId(this.clock.now().getTime()), request);
    await this.unitOfWork.run((transaction) => this.insert(prepared, transaction));
    return prepared.domain;
  }

  /** Validates the request and generates the keys before the transaction, because generating keys is slow. */
  async prepare(teamId: string, id: string, request: NewDomain): Promise<PreparedDomain> {
    const draft = this.draft(teamId, id, request);
    const now = draft.createdAt;
    const keys = [
      await this.newKeys.generate(draft, 'rsa-sha256', true, now),
      // Signs once its record has been seen: until then no receiver could verify the signature.
      await this.newKeys.generate(draft, 'ed25519-sha256', false, now),
    ];
    return { domain: { ...draft, checks: this.records.align(draft, keys.map(publicSideOf)) }, keys };
  }

  /** Throws DomainTakenError if any team has a domain of this name. */
  async insert({ domain, keys }: PreparedDomain, transaction: Transaction): Promise<void> {
    await this.domains.insert(domain, keys, transaction);
    await this.records.announce('domain.created', domain, keys.map(publicSideOf), domain.createdAt, transaction);
  }

  /** Creates the one domain that needs no DNS records: its mail goes to the built-in inbox only. */
  async createSandbox(teamId: string, name: string, transaction: Transaction): Promise<Domain> {
    const domain = this.draft(teamId, newId(this.clock.now().getTime()), { name }, true);
    const key = await this.newKeys.generate(domain, 'rsa-sha256', true, domain.createdAt);
    await this.domains.insert(domain, [key], transaction);
    return domain;
  }

  /** The domain that a request asks for, with the defaults of the service. A sandbox domain counts as verified. */
  draft(teamId: string, id: string, request: NewDomain, sandbox = false): Domain {
    const customReturnPath = subdomain('custom_return_path', request.customReturnPath) ?? defaultReturnPath;
    return {
      id,
      teamId,
      name: this.nameOf(request.name),
      status: sandbox ? 'verified' : 'not_started',
      region: this.serviceNames.regionOf(request.region),
      standIn: null,
      movedAt: null,
      customReturnPath,
      ...settingsWith(request, customReturnPath),
      dkimPublication: request.dkimPublication ?? 'txt',
      dkimGeneration: 1,
      sandbox,
      checks: {},
      dnsProvider: null,
      brandLogo: null,
      checkedAt: null,
      nextCheckAt: null,
      version: 0,
      createdAt: this.clock.now(),
    };
  }

  private nameOf(text: string): string {
    const name = parseNewName(text);
    if (registrableDomain(name) !== undefined) return name;
    throw new ValidationError(`The \`name\` ${name} is a public suffix: anyone can register domains under it.`);
  }
}
