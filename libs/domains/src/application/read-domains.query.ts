import { Page, PageRequest } from '#kernel';
import { Injectable } from '@nestjs/common';
import { DkimKeyInfo, Domain } from '../domain/domain.js';
import { RecordView } from '../domain/record-view.js';
import { delegatedHost, dkimHost } from '../domain/expected-record.js';
import { overlapMs } from '../domain/key-rotation.js';
import { DiagnosedRecord, DomainRecords } from './domain-records.js';
import { DomainRepository } from './ports/domain-repository.port.js';
import { ServiceNames } from './ports/service-names.port.js';

export interface PublishedKey {
  readonly key: DkimKeyInfo;
  /** The name at which receivers look up the key. */
  readonly host: string;
  /** For delegated keys, the name in this service's own zone at which the key must be published. */
  readonly serviceHost: string | undefined;
  /** Time from which the record may be removed. */
  readonly removableAt: Date | undefined;
}

@Injectable()
export class ReadDomains {
  constructor(
    private readonly domains: DomainRepository,
    private readonly records: DomainRecords,
    private readonly serviceNames: ServiceNames,
  ) {}

  list(teamId: string, page?: PageRequest): Promise<Page<Domain>> {
    return this.domains.list(teamId, page);
  }

  /** The domain of the team with this name. From a cache of a few seconds. */
  async named(teamId: string, name: string): Promise<Domain | undefined> {
    return this.domains.findByName(teamId, name.toLowerCase());
  }

  async find(teamId: string, id: string): Promise<{ domain: Domain; records: readonly RecordView[] } | undefined> {
    const domain = await this.domains.read(id, teamId);
    if (domain === undefined) return undefined;
    return { domain, records: this.records.views(domain, await this.domains.keys(id)) };
  }

  async diagnose(
    teamId: string,
    id: string,
  ): Promise<{ domain: Domain; records: readonly DiagnosedRecord[]; keys: readonly DkimKeyInfo[] } | undefined> {
    const domain = await this.domains.read(id, teamId);
    if (domain === undefined) return undefined;
    const keys = await this.domains.keys(id);
    return { domain, records: this.records.diagnosed(domain, keys), keys };
  }

  async keys(teamId: string, id: string): Promise<readonly PublishedKey[] | undefined> {
    const domain = await this.domains.read(id, teamId);
    if (domain === undefined) return undefined;
    return (await this.domains.keys(id)).map((key) => this.publishedKey(domain, key));
  }

  /** The regions from which a new domain may send. The first one is the default. */
  regions(): readonly { readonly name: string; readonly host: string }[] {
    return this.serviceNames.regions.map((name) => ({ name, host: this.serviceNames.hostsOf(name).host }));
  }

  private publishedKey(domain: Domain, key: DkimKeyInfo): PublishedKey {
    const { host } = this.serviceNames.hostsOf(domain.region);
    return {
      key,
      host: dkimHost(key.selector, domain.name),
      serviceHost: domain.dkimPublication === 'cname' ? delegatedHost(domain.id, key.selector, host) : undefined,
      removableAt: key.retiredAt === null ? undefined : new Date(key.retiredAt.getTime() + overlapMs),
    };
  }
}
