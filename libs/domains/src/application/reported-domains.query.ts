import { domainOf } from '#kernel';
import { Injectable } from '@nestjs/common';
import { Domain } from '../domain/domain.js';
import { dmarcRecord, tlsReportingRecord } from '../domain/expected-record.js';
import { reportHost, ReportKind, reportKindOf } from '../domain/report-address.js';
import { DomainRecords } from './domain-records.js';
import { DomainRepository } from './ports/domain-repository.port.js';

/** A domain about which others report, and the addresses to which they do. */
@Injectable()
export class ReportedDomains {
  constructor(
    private readonly domains: DomainRepository,
    private readonly records: DomainRecords,
  ) {}

  /**
   * The kind of reports that an address takes, and the domain that they are about. Undefined for any other address.
   * Cheap for addresses that take no reports: only the local part is looked at.
   */
  async ofAddress(address: string): Promise<{ readonly kind: ReportKind; readonly domain: Domain } | undefined> {
    const kind = reportKindOf(address.slice(0, address.lastIndexOf('@')));
    if (kind === undefined) return undefined;
    const host = domainOf(address).toLowerCase();
    const names = [host.slice(host.indexOf('.') + 1), host];
    for (const name of names) {
      const domain = await this.domains.findOwned(name);
      if (domain !== undefined && !domain.sandbox && reportHost(domain) === host) return { kind, domain };
    }
    return undefined;
  }

  /** The stored state of a domain of the team. */
  find(teamId: string, id: string): Promise<Domain | undefined> {
    return this.domains.read(id, teamId);
  }

  /** The record that asks for reports of a kind: its full name, and the recommended value. */
  recordOf(kind: 'dmarc' | 'tls', domain: Domain): { readonly host: string; readonly value: string } {
    const { host, value } = kind === 'dmarc' ? dmarcRecord(domain) : tlsReportingRecord(domain);
    return { host, value };
  }

  /** The name under which the domain's owner can register names, which policies are inherited from. */
  zoneOf(name: string): string {
    return this.records.zoneOf(name);
  }

  /** Selectors of all keys of the domain, the retired ones included. */
  async selectorsOf(domainId: string): Promise<readonly string[]> {
    return (await this.domains.keys(domainId)).map(({ selector }) => selector);
  }
}
