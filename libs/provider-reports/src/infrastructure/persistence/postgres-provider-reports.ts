import { Database, ReadDatabase, Row } from '#postgres/database';
import { Injectable } from '@nestjs/common';
import {
  ImportableDomain,
  ImportResult,
  ImportState,
  ProviderReports,
  ReportSource,
} from '../../application/ports/provider-reports.port.js';
import { GoogleDay, SndsActivity, SndsBlock, SndsReport } from '../../domain/provider-report.js';

type Nullable<Fields> = {
  readonly [Key in keyof Fields]: undefined extends Fields[Key] ? Fields[Key] | null : Fields[Key];
};

type SndsRow = Row<Nullable<Omit<SndsActivity, 'recipients'>>> & { readonly recipientCount: number };

const maxReported = 1_000;
/** Only who proved to own a domain sees what a provider says about it. */
const isOurs = `status = 'verified' AND NOT sandbox`;

@Injectable()
export class PostgresProviderReports extends ProviderReports {
  constructor(
    private readonly database: Database,
    private readonly reads: ReadDatabase,
  ) {
    super();
  }

  async claim(source: ReportSource, now: Date, nextAt: Date): Promise<boolean> {
    const claimed = await this.database.query({
      // A moment more than a day ahead was written before a clock was set back.
      text: `INSERT INTO provider_imports AS i (source, next_at) VALUES ($1, $3)
             ON CONFLICT (source) DO UPDATE SET next_at = $3
             WHERE i.next_at <= $2 OR i.next_at > $2 + interval '25 hours'
             RETURNING source`,
      values: [source, now, nextAt],
    });
    return claimed.length > 0;
  }

  async finish(source: ReportSource, result: ImportResult): Promise<string | undefined> {
    const { nextAt, succeededAt = null, account = null, note = null, trouble = null } = result;
    const [before] = await this.database.query<{ trouble: string | null }>({
      text: `UPDATE provider_imports i
             SET next_at = $2, succeeded_at = coalesce($3, i.succeeded_at), account = coalesce($4, i.account),
                 note = coalesce($5, i.note), trouble = $6
             FROM (SELECT trouble FROM provider_imports WHERE source = $1) before
             WHERE i.source = $1
             RETURNING before.trouble`,
      values: [source, nextAt, succeededAt, account, note, trouble],
    });
    return before?.trouble ?? undefined;
  }

  async states(): Promise<readonly ImportState[]> {
    const rows = await this.database.query<Row<Nullable<ImportState>>>({
      text: 'SELECT source, succeeded_at AS "succeededAt", account, note, trouble FROM provider_imports ORDER BY source',
    });
    return rows.map(({ source, succeededAt, account, note, trouble }) => ({
      source,
      succeededAt: succeededAt ?? undefined,
      account: account ?? undefined,
      note: note ?? undefined,
      trouble: trouble ?? undefined,
    }));
  }

  async importable(names: readonly string[], max: number): Promise<readonly ImportableDomain[]> {
    const rows = await this.database.query<Row<Nullable<ImportableDomain>>>({
      text: `SELECT id, name, (SELECT max(day)::text FROM google_domain_days WHERE domain_id = d.id) AS "newestDay"
             FROM published_domains d WHERE name = ANY($1) AND ${isOurs} ORDER BY random() LIMIT $2`,
      values: [names, max],
    });
    return rows.map(({ id, name, newestDay }) => ({ id, name, newestDay: newestDay ?? undefined }));
  }

  async others(names: readonly string[], max: number): Promise<{ count: number; names: readonly string[] }> {
    const rows = await this.database.query<{ name: string; count: number }>({
      text: `SELECT name, (count(*) OVER ())::int AS count FROM published_domains
             WHERE NOT name = ANY($1) AND ${isOurs} ORDER BY id DESC LIMIT $2`,
      values: [names, max],
    });
    return { count: rows[0]?.count ?? 0, names: rows.map(({ name }) => name) };
  }

  async keepDays(domainId: string, days: readonly GoogleDay[]): Promise<void> {
    await this.database.execute({
      text: `INSERT INTO google_domain_days (domain_id, day, shares)
             SELECT $1, day, shares FROM jsonb_to_recordset($2::jsonb) AS d (day date, shares jsonb)
             ON CONFLICT (domain_id, day) DO UPDATE SET shares = excluded.shares`,
      values: [domainId, JSON.stringify(days)],
    });
  }

  daysOf(domainId: string, from: string, to: string): Promise<readonly GoogleDay[]> {
    return this.reads.query<Row<GoogleDay>>({
      text: `SELECT day::text AS day, shares FROM google_domain_days
             WHERE domain_id = $1 AND day >= $2::date AND day < $3::date ORDER BY day`,
      values: [domainId, from, to],
    });
  }

  async keepReport({ activity, blocks }: SndsReport): Promise<void> {
    await this.database.run(async (transaction) => {
      await transaction.execute({
        text: `INSERT INTO snds_addresses (address, day, filter, complaint_rate, recipient_count, trap_hits)
               SELECT DISTINCT ON (address) address, day, filter, "complaintRate", "recipientCount", "trapHits"
               FROM jsonb_to_recordset($1::jsonb) AS a (
                 address inet, day date, filter text, "complaintRate" text, "recipientCount" integer, "trapHits" integer)
               ORDER BY address, day DESC
               ON CONFLICT (address) DO UPDATE SET day = excluded.day, filter = excluded.filter,
                 complaint_rate = excluded.complaint_rate, recipient_count = excluded.recipient_count, trap_hits = excluded.trap_hits
               WHERE snds_addresses.day <= excluded.day`,
        values: [JSON.stringify(activity.map(({ recipients, ...of }) => ({ ...of, recipientCount: recipients })))],
      });
      await transaction.execute({ text: 'DELETE FROM snds_blocks' });
      await transaction.execute({
        text: `INSERT INTO snds_blocks (first_address, last_address, reason)
               SELECT first, last, reason FROM jsonb_to_recordset($1::jsonb) AS b (first inet, last inet, reason text)
               ON CONFLICT DO NOTHING`,
        values: [JSON.stringify(blocks)],
      });
    });
  }

  async report(addresses?: readonly string[]): Promise<SndsReport> {
    const activity = await this.database.query<SndsRow>({
      text: `SELECT host(address) AS address, day::text AS day, filter, complaint_rate AS "complaintRate", recipient_count AS "recipientCount",
                    trap_hits AS "trapHits"
             FROM snds_addresses ${addresses === undefined ? '' : 'WHERE address = ANY($1::inet[])'}
             ORDER BY address LIMIT ${maxReported}`,
      values: addresses === undefined ? [] : [addresses],
    });
    return {
      activity: activity.map(({ complaintRate, recipientCount, ...of }) => ({
        ...of,
        complaintRate: complaintRate ?? undefined,
        recipients: recipientCount,
      })),
      blocks: await (addresses === undefined ? this.blocks() : this.blocksOf(addresses)),
    };
  }

  private blocks(): Promise<readonly SndsBlock[]> {
    return this.database.query<Row<SndsBlock>>({
      text: `SELECT host(first_address) AS first, host(last_address) AS last, reason FROM snds_blocks
             ORDER BY first_address LIMIT ${maxReported}`,
    });
  }

  /** One for each of the addresses that is blocked, written as it was given. */
  private blocksOf(addresses: readonly string[]): Promise<readonly SndsBlock[]> {
    return this.database.query<Row<SndsBlock>>({
      text: `SELECT DISTINCT ON (address) address AS first, address AS last, reason
             FROM unnest($1::text[]) AS address JOIN snds_blocks ON address::inet BETWEEN first_address AND last_address`,
      values: [addresses],
    });
  }
}
