import { createHash } from 'node:crypto';
import { Statement } from '#postgres/database';
import { DmarcRow, TlsRow } from '../../domain/report.js';

/** Distinct results of one domain and day. What is beyond is added up without its source. */
export const maxRowsPerDay = 3_000;

export interface CountOwner {
  readonly domainId: string;
  /** `yyyy-mm-dd`, UTC. */
  readonly day: string;
  readonly reporter: string;
}

/** Adds the rows to those of the day. Sorted by digest, so that concurrent reports lock rows in one order. */
export function addDmarcCounts({ domainId, day, reporter }: CountOwner, rows: readonly DmarcRow[]): Statement {
  const counted = summed(rows.map((row) => ({ row, digest: digestOf(reporter, dmarcKey(row)), count: row.messages })));
  return {
    text: `INSERT INTO dmarc_counts AS c
             (domain_id, day, reporter, digest, source, header_from, disposition, dkim_aligned, spf_aligned, dkim_domain,
              dkim_selector, dkim_result, spf_domain, spf_result, override, messages)
           SELECT $1, $2, $3, * FROM unnest($4::bytea[], $5::inet[], $6::text[], $7::text[], $8::boolean[], $9::boolean[],
             $10::text[], $11::text[], $12::text[], $13::text[], $14::text[], $15::text[], $16::bigint[])
           ON CONFLICT (domain_id, day, digest) DO UPDATE SET messages = c.messages + EXCLUDED.messages`,
    values: [
      domainId,
      day,
      reporter,
      counted.map(({ digest }) => digest),
      counted.map(({ row }) => row.source),
      counted.map(({ row }) => row.headerFrom),
      counted.map(({ row }) => row.disposition),
      counted.map(({ row }) => row.dkimAligned),
      counted.map(({ row }) => row.spfAligned),
      counted.map(({ row }) => row.dkim?.domain ?? null),
      counted.map(({ row }) => row.dkimSelector),
      counted.map(({ row }) => row.dkim?.result ?? null),
      counted.map(({ row }) => row.spf?.domain ?? null),
      counted.map(({ row }) => row.spf?.result ?? null),
      counted.map(({ row }) => row.override),
      counted.map(({ count }) => count),
    ],
  };
}

export function addTlsCounts({ domainId, day, reporter }: CountOwner, rows: readonly TlsRow[]): Statement {
  const counted = summed(rows.map((row) => ({ row, digest: digestOf(reporter, tlsKey(row)), count: row.sessions })));
  return {
    text: `INSERT INTO tls_counts AS c
             (domain_id, day, reporter, digest, policy_type, policy_domain, result, mx, reason, sessions)
           SELECT $1, $2, $3, * FROM unnest($4::bytea[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[],
             $10::bigint[])
           ON CONFLICT (domain_id, day, digest) DO UPDATE SET sessions = c.sessions + EXCLUDED.sessions`,
    values: [
      domainId,
      day,
      reporter,
      counted.map(({ digest }) => digest),
      counted.map(({ row }) => row.policyType),
      counted.map(({ row }) => row.policyDomain),
      counted.map(({ row }) => row.result),
      counted.map(({ row }) => row.mx),
      counted.map(({ row }) => row.reason),
      counted.map(({ count }) => count),
    ],
  };
}

/** The rows with what tells them apart taken away, so that there are only a few different ones. */
export function withoutSources(rows: readonly DmarcRow[]): readonly DmarcRow[] {
  return rows.map((row) => ({ ...row, source: null, dkim: null, dkimSelector: null, spf: null, override: null }));
}

export function withoutReasons(rows: readonly TlsRow[]): readonly TlsRow[] {
  return rows.map((row) => ({ ...row, mx: null, reason: null }));
}

interface Counted<Row> {
  readonly row: Row;
  readonly digest: Buffer;
  readonly count: number;
}

/** Each row once: a statement cannot update a row twice. */
function summed<Row>(rows: readonly Counted<Row>[]): Counted<Row>[] {
  const byDigest = new Map<string, Counted<Row>>();
  for (const row of rows) {
    const key = row.digest.toString('hex');
    byDigest.set(key, { ...row, count: (byDigest.get(key)?.count ?? 0) + row.count });
  }
  return [...byDigest].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}

function dmarcKey({ messages: _, ...row }: DmarcRow): readonly unknown[] {
  const { source, headerFrom, disposition, dkimAligned, spfAligned, dkim, dkimSelector, spf, override } = row;
  return [
    source,
    headerFrom,
    disposition,
    dkimAligned,
    spfAligned,
    dkim?.domain,
    dkim?.result,
    dkimSelector,
    spf?.domain,
    spf?.result,
    override,
  ];
}

function tlsKey({ policyType, policyDomain, result, mx, reason }: TlsRow): readonly unknown[] {
  return [policyType, policyDomain, result, mx, reason];
}

/** Identifies what is counted, in 16 bytes. */
export function digestOf(...parts: readonly unknown[]): Buffer {
  return createHash('sha256').update(JSON.stringify(parts)).digest().subarray(0, 16);
}
