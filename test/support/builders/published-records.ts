import type { DnsServer } from '../servers/dns-server.js';

/** A record as the API returns it. */
export interface ReturnedRecord {
  readonly record: string;
  readonly name: string;
  readonly type: string;
  readonly value: string;
  readonly priority?: number;
  readonly status?: string;
}

/** The records of a domain as the API returns it, and those that it recommends. */
export function allRecords(domain: unknown): readonly ReturnedRecord[] {
  const { records, recommended_records: recommended } = domain as Readonly<Record<string, readonly ReturnedRecord[]>>;
  return [...(records ?? []), ...(recommended ?? [])];
}

/** Publishes records like a customer: names are relative to the zone unless they end with it. */
export function publishRecords(dns: DnsServer, zone: string, records: readonly ReturnedRecord[]): void {
  const mailHosts = new Map<string, [number, string][]>();
  for (const record of records) {
    const name = absoluteName(record, zone);
    if (record.type === 'TXT') dns.txt(name, record.value);
    if (record.type === 'MX') {
      mailHosts.set(name, [...(mailHosts.get(name) ?? []), [record.priority ?? 10, record.value]]);
    }
    if (record.type === 'CNAME') dns.cname(name, record.value);
  }
  for (const [name, hosts] of mailHosts) dns.mx(name, ...hosts);
}

export function absoluteName({ name }: ReturnedRecord, zone: string): string {
  return name === zone || name.endsWith(`.${zone}`) ? name : `${name}.${zone}`;
}
