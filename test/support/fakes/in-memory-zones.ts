import type { InMemoryDnsResolver, ZoneRecords } from '#domains';
import { absoluteName, ReturnedRecord } from '../builders/published-records.js';

/** Publishes the records of a domain in a DNS in memory, as its owner does. */
export function publishedIn(dns: InMemoryDnsResolver, zone: string, records: readonly ReturnedRecord[]): void {
  const zones = new Map<string, ZoneRecords>();
  for (const record of records) {
    const name = absoluteName(record, zone);
    const known = zones.get(name) ?? {};
    zones.set(name, { ...known, ...zoneRecords(record) });
  }
  for (const [name, all] of zones) dns.set(name, all);
}

function zoneRecords({ type, value, priority = 10 }: ReturnedRecord): ZoneRecords {
  if (type === 'MX') return { mx: [{ exchange: value, preference: priority }] };
  return type === 'CNAME' ? { cname: value } : { txt: [value] };
}
