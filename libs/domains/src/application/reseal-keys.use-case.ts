import { Injectable } from '@nestjs/common';
import { DomainRepository } from './ports/domain-repository.port.js';

/** Seals every private key with the current secret, so that earlier secrets are no longer needed. */
@Injectable()
export class ResealKeys {
  constructor(private readonly domains: DomainRepository) {}

  execute(): Promise<number> {
    return this.domains.resealKeys();
  }
}
