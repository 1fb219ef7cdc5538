import { Injectable } from '@nestjs/common';
import { Transaction } from '#kernel';
import { Config } from '#platform/config';
import { ReadDatabase, Row, statementsOf } from '#postgres/database';
import { RecipientRows } from '#postgres/privacy';
import { CountsOfDomain, OutcomeSpan, ProviderCounters } from '../../application/ports/provider-counters.port.js';
import { AddedCounts, CountedOutcome, KnownSites, siteKey } from '../../domain/provider-counts.js';
import { DayCount, KindCount } from '../../domain/provider-summary.js';
import {
  addDaysStatement,
  addHoursStatement,
  daysStatement,
  kindsStatement,
  outcomesStatement,
  sitesStatement,
  unsubscribesStatement,
} from './provider-counts-statements.js';

type OutcomeRow = Row<Omit<CountedOutcome, 'isTest'>>;

@Injectable()
export class PostgresProviderCounters extends ProviderCounters {
  /** Attempts name the mail hosts of recipients. Through a relay they name the relay. */
  private readonly usesMx: boolean;
  private readonly testReceivers: ReadonlySet<string>;

  constructor(
    private readonly reads: ReadDatabase,
    { values }: Config,
  ) {
    super();
    this.usesMx = values.deliveryTransport === 'mx';
    this.testReceivers = new Set(values.testAddressDomains.flatMap((domain) => [domain, `@${domain}`]));
  }

  async outcomesOf(span: OutcomeSpan, transaction: Transaction): Promise<readonly CountedOutcome[]> {
    const rows = await statementsOf(transaction).query<OutcomeRow>(outcomesStatement(span, this.usesMx));
    return rows.map((row) => this.outcomeOf(row));
  }

  async unsubscribesOf(span: OutcomeSpan, transaction: Transaction): Promise<readonly CountedOutcome[]> {
    const rows = await statementsOf(transaction).query<OutcomeRow>(unsubscribesStatement(span, this.usesMx));
    return rows.map((row) => this.outcomeOf(row));
  }

  async sitesOf(
    keys: readonly { readonly domainId: string; readonly day: string }[],
    transaction: Transaction,
  ): Promise<KnownSites> {
    const rows = await statementsOf(transaction).query<{ domainId: string; day: string; provider: string }>(
      sitesStatement(keys),
    );
    const known = new Map<string, Set<string>>();
    for (const { domainId, day, provider } of rows) {
      const key = siteKey(domainId, day);
      known.set(key, (known.get(key) ?? new Set()).add(provider));
    }
    return known;
  }

  async add({ days, hours }: AddedCounts, transaction: Transaction): Promise<void> {
    const statements = statementsOf(transaction);
    await statements.execute(addDaysStatement(days));
    if (hours.length > 0) await statements.execute(addHoursStatement(hours));
  }

  async read(domainId: string, from: string, to: string): Promise<CountsOfDomain> {
    const [kinds, days] = await Promise.all([
      this.reads.query<Row<KindCount>>(kindsStatement(domainId, from, to)),
      this.reads.query<Row<DayCount>>(daysStatement(domainId, from, to)),
    ]);
    return { kinds, days };
  }

  private outcomeOf(row: OutcomeRow): CountedOutcome {
    return { ...row, isTest: this.testReceivers.has(row.receiver) };
  }
}

/** The replies about an email that are shown as examples of a provider: they may name its recipient. The counts stay. */
@Injectable()
export class ReplyExamplesData extends RecipientRows {
  readonly name = 'examples';

  protected readonly read = `
    SELECT q.email_id AS "emailId", q.no AS "recipientNo",
           json_build_object('day', c.day, 'provider', c.provider, 'kind', c.kind, 'reply', c.reply) AS record
    FROM unnest($1::uuid[], $2::smallint[]) AS q (email_id, no)
    JOIN provider_counts c ON c.email_id = q.email_id AND c.email_id BETWEEN $3 AND $4`;

  protected readonly clear = `
    UPDATE provider_counts c SET reply = NULL, email_id = NULL
    FROM unnest($1::uuid[], $2::smallint[]) AS q (email_id, no)
    WHERE c.email_id = q.email_id AND c.email_id BETWEEN $3 AND $4`;
}
