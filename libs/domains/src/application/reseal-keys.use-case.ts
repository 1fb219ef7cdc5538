import { Injectable } from '@nestjs/common';
import { DomainRepository } from './ports/domain-repository.port.js';

/** Seals every private key with the present secret, so that earlier ones can be forgotten. */
@Injectable()
export class ResealKeys {
  constructor(private readonly domains: DomainRepository) {}

  execute(): Promise<number> {
    return this.domains.resealKeys();
  }
}
