import { typeOf } from './advice.js';
import { ExpectedRecord } from './expected-record.js';
import { RecordChecks, RecordStatus } from './record-check.js';

/** A record as the contract shows it (api-contract section 9.3). */
export interface RecordView {
  readonly record: 'DKIM' | 'SPF' | 'Receiving' | 'Tracking' | 'DMARC';
  readonly name: string;
  readonly type: 'TXT' | 'MX' | 'CNAME';
  readonly ttl: string;
  readonly status: RecordStatus;
  readonly value: string;
  readonly priority?: number;
}

export function recordView(record: ExpectedRecord, checks: RecordChecks, zone: string): RecordView {
  return {
    record: kindOf(record),
    name: nameOf(record, zone),
    type: typeOf(record),
    ttl: 'Auto',
    status: checks[record.key]?.status ?? 'not_started',
    value: record.value,
    ...('priority' in record ? { priority: record.priority } : {}),
  };
}

function kindOf({ kind }: ExpectedRecord): RecordView['record'] {
  switch (kind) {
    case 'dkim':
    case 'dkim-alias':
      return 'DKIM';
    case 'return-path':
    case 'spf':
      return 'SPF';
    case 'receiving':
      return 'Receiving';
    case 'tracking':
      return 'Tracking';
    case 'dmarc':
      return 'DMARC';
  }
}

/** Relative to the zone, as most providers want it entered, except for the two that the contract shows in full. */
function nameOf({ kind, host }: ExpectedRecord, zone: string): string {
  if (kind === 'receiving' || kind === 'tracking') return host;
  return host.slice(0, -zone.length - 1);
}
