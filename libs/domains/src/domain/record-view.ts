import { dnsTypeOf, ExpectedRecord } from './expected-record.js';
import { RecordChecks, RecordStatus } from './record-check.js';

/** A record as the contract shows it (docs/wire-contract.md section 9.3). */
export interface RecordView {
  readonly record: 'DKIM' | 'SPF' | 'Receiving MX' | 'Tracking' | 'TrackingCAA' | 'DMARC' | 'TLSRPT';
  readonly name: string;
  readonly type: 'TXT' | 'MX' | 'CNAME' | 'CAA';
  readonly ttl: string;
  readonly status: RecordStatus;
  readonly value: string;
  readonly priority?: number;
}

/**
 * The records as responses and events have them. Clients with enums read only the kinds of records that they know, and
 * lose the whole domain to another one.
 */
export function shownRecords(views: readonly RecordView[]): {
  records: RecordView[];
  recommended_records: RecordView[];
} {
  const isOurs = ({ record }: RecordView): boolean => record === 'DMARC' || record === 'TLSRPT';
  return { records: views.filter((view) => !isOurs(view)), recommended_records: views.filter(isOurs) };
}

/** A CAA record is shown only if the zone already has some (docs/wire-contract.md section 9.3). */
export function isShown({ kind, key }: ExpectedRecord, checks: RecordChecks): boolean {
  const status = checks[key]?.status;
  return kind !== 'tracking-caa' || status === 'verified' || status === 'failed';
}

export function recordView(record: ExpectedRecord, checks: RecordChecks, zone: string): RecordView {
  return {
    record: kindOf(record),
    name: nameOf(record, zone),
    type: dnsTypeOf(record),
    ttl: 'Auto',
    status: checks[record.key]?.status ?? 'not_started',
    value: record.value,
    ...('priority' in record ? { priority: record.priority } : {}),
  };
}

function kindOf(record: ExpectedRecord): RecordView['record'] {
  switch (record.kind) {
    case 'dkim':
    case 'dkim-alias':
      return 'DKIM';
    case 'return-path':
    case 'spf':
      return 'SPF';
    case 'receiving':
      return 'Receiving MX';
    case 'stand-in':
      return record.beside === 'receiving' ? 'Receiving MX' : 'SPF';
    case 'tracking':
      return 'Tracking';
    case 'tracking-caa':
      return 'TrackingCAA';
    case 'dmarc':
      return 'DMARC';
    case 'tls-reporting':
      return 'TLSRPT';
  }
}

/** Relative to the zone, as most providers expect it, except for the records whose full name the contract shows. */
function nameOf(record: ExpectedRecord, zone: string): string {
  const { kind, host } = record;
  if (kind === 'stand-in' && record.beside === 'receiving') return host;
  if (kind === 'receiving' || kind === 'tracking' || kind === 'tracking-caa') return host;
  return host.slice(0, -zone.length - 1);
}
