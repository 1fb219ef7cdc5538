import { TeamEvents } from '#events';
import { newId, Transaction } from '#kernel';
import { Injectable } from '@nestjs/common';
import { getDomain } from 'tldts';
import { adviceOn } from '../domain/advice.js';
import { DkimKeyInfo, Domain } from '../domain/domain.js';
import { domainEventPayload, DomainEventType } from '../domain/domain-event.js';
import { ExpectedRecord, expectedRecords } from '../domain/expected-record.js';
import { RecordCheck, RecordChecks } from '../domain/record-check.js';
import { isShown, RecordView, recordView } from '../domain/record-view.js';
import { ServiceNames } from './ports/service-names.port.js';

/** A record as it should be, the result of its last check, and advice. */
export interface DiagnosedRecord {
  readonly view: RecordView;
  readonly host: string;
  readonly required: boolean;
  readonly check: RecordCheck | undefined;
  readonly advice: string | undefined;
}

/** The records of a domain: as they should be, as the API shows them, and with a diagnosis. */
@Injectable()
export class DomainRecords {
  constructor(
    private readonly serviceNames: ServiceNames,
    private readonly events: TeamEvents,
  ) {}

  expected(domain: Domain, keys: readonly DkimKeyInfo[]): readonly ExpectedRecord[] {
    return expectedRecords(domain, keys, this.serviceNames.hostsOf(domain.region));
  }

  /** Whether a changed domain needs the records that it needed before. */
  areSame(before: Domain, after: Domain, keys: readonly DkimKeyInfo[]): boolean {
    return JSON.stringify(this.expected(before, keys)) === JSON.stringify(this.expected(after, keys));
  }

  zoneOf(name: string): string {
    return registrableDomain(name) ?? name;
  }

  views(domain: Domain, keys: readonly DkimKeyInfo[]): RecordView[] {
    const zone = this.zoneOf(domain.name);
    return this.shown(domain, keys).map((record) => recordView(record, domain.checks, zone));
  }

  diagnosed(domain: Domain, keys: readonly DkimKeyInfo[]): DiagnosedRecord[] {
    const zone = this.zoneOf(domain.name);
    return this.shown(domain, keys).map((record) => ({
      view: recordView(record, domain.checks, zone),
      host: record.host,
      required: record.purpose !== 'optional',
      check: domain.checks[record.key],
      advice: adviceOn(record, domain.checks[record.key], { zone, dnsProvider: domain.dnsProvider }),
    }));
  }

  /** One check per expected record: keeps the known checks, starts new ones with `begin`, and drops all others. */
  align(
    domain: Domain,
    keys: readonly DkimKeyInfo[],
    begin: Pick<RecordCheck, 'status' | 'since'> = { status: 'not_started' },
  ): RecordChecks {
    return Object.fromEntries(
      this.expected(domain, keys).map(({ key, purpose }) => {
        const known = domain.checks[key];
        if (known !== undefined) return [key, { ...known, purpose }];
        return [key, purpose === 'optional' ? { purpose, status: 'not_started' } : { purpose, ...begin }];
      }),
    );
  }

  /** Appends the event of a change, in the transaction of the change. */
  async announce(
    type: DomainEventType,
    domain: Domain,
    keys: readonly DkimKeyInfo[],
    now: Date,
    transaction: Transaction,
  ): Promise<void> {
    const data = domainEventPayload(domain, this.views(domain, keys));
    const event = { id: newId(now.getTime()), teamId: domain.teamId, type, data, createdAt: now };
    await this.events.append([event], transaction);
  }

  private shown(domain: Domain, keys: readonly DkimKeyInfo[]): readonly ExpectedRecord[] {
    return this.expected(domain, keys).filter((record) => isShown(record, domain.checks));
  }
}

/**
 * `example.co.uk` for `a.b.example.co.uk`; undefined for a public suffix itself, under which anyone can register a domain.
 * Names are lower-case A-labels. Uses the Public Suffix List of the installed version of `tldts`.
 */
export function registrableDomain(name: string): string | undefined {
  return getDomain(name, { allowPrivateDomains: false, validateHostname: false }) ?? undefined;
}
