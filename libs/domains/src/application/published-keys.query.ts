import { Injectable } from '@nestjs/common';
import { dkimRecord } from '../domain/dkim-record.js';
import { DomainRepository } from './ports/domain-repository.port.js';

/** The DKIM records of our domains, as the DNS should have them. */
@Injectable()
export class PublishedKeys {
  constructor(private readonly domains: DomainRepository) {}

  /** The TXT record at `<selector>._domainkey.<domainName>`; undefined where we have no such key. */
  async dkimRecord(selector: string, domainName: string): Promise<string | undefined> {
    const key = await this.domains.findPublicKey(domainName.toLowerCase(), selector);
    return key === undefined ? undefined : dkimRecord(key);
  }
}
