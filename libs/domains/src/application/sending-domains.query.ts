import { Cells } from '#cells';
import { whenKnown } from '#kernel';
import type { MaybePromise } from '#kernel';
import { Injectable } from '@nestjs/common';
import { DomainNotVerifiedError, SandboxDomainError, SendingDisabledError } from '../domain/domain-errors.js';
import { Domain, maySend, SigningKey } from '../domain/domain.js';
import { DomainRepository } from './ports/domain-repository.port.js';
import { SandboxPolicy } from './ports/service-names.port.js';

/** Reads domains for the acceptance and delivery of mail. */
@Injectable()
export class SendingDomains {
  constructor(
    private readonly domains: DomainRepository,
    private readonly sandboxPolicy: SandboxPolicy,
    private readonly cells: Cells,
  ) {}

  /**
   * Returns the team's domain if mail may be sent from it. Otherwise throws DomainNotVerifiedError,
   * SendingDisabledError, SandboxDomainError if sandbox mail must not leave the machine, or MailElsewhereError if another cell
   * sends its mail. A subdomain is a separate domain.
   */
  require(teamId: string, name: string): MaybePromise<Domain> {
    return whenKnown(this.domains.findByName(teamId, name), (domain) => this.allowed(domain, name));
  }

  private allowed(domain: Domain | undefined, name: string): Domain {
    if (domain !== undefined && !domain.sending) throw new SendingDisabledError(name);
    if (domain === undefined || !maySend(domain)) throw new DomainNotVerifiedError(name);
    if (domain.sandbox && !this.sandboxPolicy.allowsSandboxDomains) throw new SandboxDomainError(name);
    this.cells.requireOwn(domain);
    return domain;
  }

  findById(id: string): MaybePromise<Domain | undefined> {
    return this.domains.findById(id);
  }

  signingKeys(domainId: string): MaybePromise<readonly SigningKey[]> {
    return this.domains.signingKeys(domainId);
  }
}
