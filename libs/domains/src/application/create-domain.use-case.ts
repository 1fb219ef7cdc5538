import { Clock, newId, parseDomainName, Transaction, UnitOfWork, ValidationError } from '#kernel';
import { Injectable } from '@nestjs/common';
import { Domain, SigningKey } from '../domain/domain.js';
import { DkimKeyGenerator } from './ports/dkim-key-generator.port.js';
import { DomainRepository } from './ports/domain-repository.port.js';

export interface NewDomain {
  readonly name: string;
  readonly region?: string;
  readonly customReturnPath?: string;
}

/** Registers a domain for a team, with the key pair that will sign its mail. */
@Injectable()
export class CreateDomain {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly domains: DomainRepository,
    private readonly keyGenerator: DkimKeyGenerator,
    private readonly clock: Clock,
  ) {}

  async execute(teamId: string, request: NewDomain): Promise<Domain> {
    const name = parseDomainName(request.name);
    if (name === undefined) throw new ValidationError('The `name` field is not a valid domain name.');
    const domain = this.newDomain(teamId, { ...request, name }, false);
    const keys = [await this.newKey(domain)];
    await this.unitOfWork.run((transaction) => this.domains.insert(domain, keys, transaction));
    return domain;
  }

  /** The one domain that needs no DNS: its mail goes to the built-in inbox only. */
  async createSandbox(teamId: string, name: string, transaction: Transaction): Promise<Domain> {
    const domain = this.newDomain(teamId, { name }, true);
    await this.domains.insert(domain, [await this.newKey(domain)], transaction);
    return domain;
  }

  private newDomain(teamId: string, request: NewDomain, sandbox: boolean): Domain {
    return {
      id: newId(),
      teamId,
      name: request.name,
      status: sandbox ? 'verified' : 'not_started',
      region: request.region ?? 'us-east-1',
      customReturnPath: request.customReturnPath ?? 'send',
      sandbox,
      createdAt: this.clock.now(),
    };
  }

  private async newKey(domain: Domain): Promise<SigningKey> {
    return {
      id: newId(),
      domainId: domain.id,
      domainName: domain.name,
      selector: 'postrider',
      algorithm: 'rsa-sha256',
      createdAt: domain.createdAt,
      ...(await this.keyGenerator.generate('rsa-sha256')),
    };
  }
}
