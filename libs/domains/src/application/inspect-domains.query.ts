import { Clock } from '#kernel';
import { Injectable } from '@nestjs/common';
import { Domain } from '../domain/domain.js';
import { nextCheck } from '../domain/record-check.js';
import { DiagnosedRecord, DomainRecords } from './domain-records.js';
import { RecordInspector } from './inspection/record-inspector.js';
import { DomainRepository } from './ports/domain-repository.port.js';

const batchSize = 50;

export interface InspectedDomain {
  readonly domain: Domain;
  readonly records: readonly DiagnosedRecord[];
}

/** Inspects the records of every domain as they are now, without storing the results. */
@Injectable()
export class InspectDomains {
  constructor(
    private readonly domains: DomainRepository,
    private readonly records: DomainRecords,
    private readonly inspector: RecordInspector,
    private readonly clock: Clock,
  ) {}

  async *inspectAll(): AsyncGenerator<InspectedDomain> {
    let after: string | undefined;
    for (;;) {
      const batch = await this.domains.listAll(after, batchSize);
      for (const domain of batch) if (!domain.sandbox) yield await this.inspect(domain);
      if (batch.length < batchSize) return;
      after = batch[batch.length - 1]?.id;
    }
  }

  private async inspect(domain: Domain): Promise<InspectedDomain> {
    const keys = await this.domains.keys(domain.id);
    const names = [domain.name, this.records.zoneOf(domain.name)];
    const now = this.clock.now();
    const checks = await Promise.all(
      this.records.expected(domain, keys).map(async (record) => {
        const finding = await this.inspector.inspect(record, names);
        return [record.key, nextCheck(domain.checks[record.key], record.purpose, finding, now)] as const;
      }),
    );
    return { domain, records: this.records.diagnosed({ ...domain, checks: Object.fromEntries(checks) }, keys) };
  }
}
