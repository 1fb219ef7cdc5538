import { Injectable } from '@nestjs/common';
import { dkimRecord } from '../domain/dkim-record.js';
import { DomainRepository } from './ports/domain-repository.port.js';

/** What the DNS says, or is to say, of our domains' keys. */
@Injectable()
export class PublishedKeys {
  constructor(private readonly domains: DomainRepository) {}

  /** The TXT record at `<selector>._domainkey.<domainName>`, or undefined where that key is none of ours. */
  async dkimRecord(selector: string, domainName: string): Promise<string | undefined> {
    const key = await this.domains.findPublicKey(domainName.toLowerCase(), selector);
    return key === undefined ? undefined : dkimRecord(key);
  }
}
