import { Injectable } from '@nestjs/common';
import { providerOf } from '#insights';
import { Transaction } from '#kernel';
import { Config } from '#platform/config';
import { DatabaseTransaction, Row, statementsOf } from '#postgres/database';
import { GuardedDomains, GuardedOutcomes } from '../../application/ports/reputation-guard.port.js';
import { LookedAt, Suspect } from '../../domain/cause.js';
import { OutcomeHour } from '../../domain/evidence.js';
import { GuardedRate } from '../../domain/guard-limits.js';
import { GuardedPair, ReplyExample } from '../../domain/guard-state.js';
import { namesStatement, suspectsStatement } from './suspects-statement.js';

/** Replies that evidence has. */
const maxReplies = 3;
/** Broadcasts, templates and imports that are compared, those with the most bad outcomes. */
const maxSuspects = 100;

interface SuspectRow extends Record<string, unknown> {
  readonly receiver: string;
  readonly broadcastId: string | null;
  readonly templateId: string | null;
  readonly importId: string | null;
  readonly all: number;
  readonly bad: number;
}

interface NameRow extends Record<string, unknown> {
  readonly kind: 'broadcast' | 'template' | 'import';
  readonly id: string;
  readonly name: string | null;
  readonly segmentId: string | null;
  readonly segmentName: string | null;
  readonly at: Date | null;
}

@Injectable()
export class PostgresGuardedOutcomes extends GuardedOutcomes {
  private readonly usesMx: boolean;

  constructor({ values }: Config) {
    super();
    this.usesMx = values.deliveryTransport === 'mx';
  }

  async hours(
    { domainId, provider }: GuardedPair,
    since: Date,
    transaction: Transaction,
  ): Promise<readonly OutcomeHour[]> {
    return statementsOf(transaction).query<Row<OutcomeHour>>({
      name: 'hours-of-reputation',
      text: `SELECT hour, delivered::float8, deferred::float8, bounced::float8, bad_addresses::float8 AS "badAddresses",
                    refused_as_spam::float8 AS "refusedAsSpam", complained::float8
             FROM published_provider_hours
             WHERE domain_id = $1 AND provider = $2 AND hour >= date_trunc('hour', $3::timestamptz, 'UTC') ORDER BY hour`,
      values: [domainId, provider, since],
    });
  }

  async replies(
    { domainId, provider }: GuardedPair,
    since: Date,
    transaction: Transaction,
  ): Promise<readonly ReplyExample[]> {
    return statementsOf(transaction).query<Row<ReplyExample>>({
      name: 'replies-of-reputation',
      text: `SELECT split_part(kind, '/', 2) AS category, sum(count)::float8 AS count,
                    (array_agg(reply ORDER BY day DESC))[1] AS reply, (array_agg(email_id ORDER BY day DESC))[1] AS "emailId"
             FROM published_provider_counts
             WHERE domain_id = $1 AND provider = $2 AND day >= ($3::timestamptz AT TIME ZONE 'UTC')::date AND reply IS NOT NULL
             GROUP BY 1 ORDER BY 2 DESC LIMIT ${maxReplies}`,
      values: [domainId, provider, since],
    });
  }

  async lookedAt(pair: GuardedPair, rate: GuardedRate, since: Date, transaction: Transaction): Promise<LookedAt> {
    const statements = statementsOf(transaction);
    const rows = await statements.query<SuspectRow>(suspectsStatement(pair, rate, since, this.usesMx));
    const own = rows.filter(({ receiver }) => providerOf(receiver) === pair.provider);
    const suspects = await this.named(pair.teamId, own, statements);
    return { bad: sumOf(own, 'bad'), all: sumOf(own, 'all'), suspects };
  }

  private async named(
    teamId: string,
    rows: readonly SuspectRow[],
    statements: DatabaseTransaction,
  ): Promise<Suspect[]> {
    const found = [
      ...grouped('broadcast', rows, ({ broadcastId }) => broadcastId),
      ...grouped('template', rows, ({ templateId }) => templateId),
      ...grouped('import', rows, ({ importId }) => importId),
    ];
    const compared = found.sort((a, b) => b.bad - a.bad).slice(0, maxSuspects);
    const idsOf = (kind: string): string[] => compared.filter((suspect) => suspect.kind === kind).map(({ id }) => id);
    const names = await statements.query<NameRow>(
      namesStatement(teamId, {
        broadcasts: idsOf('broadcast'),
        templates: idsOf('template'),
        imports: idsOf('import'),
      }),
    );
    const byId = new Map(names.map((row) => [row.id, row]));
    const suspects = compared.flatMap((suspect): Suspect[] => {
      const row = byId.get(suspect.id);
      return row === undefined ? [] : [{ ...suspect, name: row.name ?? importName(row.at) }];
    });
    const segments = grouped('segment', rows, ({ broadcastId }) => byId.get(broadcastId ?? '')?.segmentId ?? null);
    const segmentNames = new Map(names.map(({ segmentId, segmentName }) => [segmentId, segmentName]));
    return [
      ...suspects,
      ...segments.flatMap((segment): Suspect[] => {
        const name = segmentNames.get(segment.id);
        return name == null ? [] : [{ ...segment, name }];
      }),
    ];
  }
}

function grouped(
  kind: Suspect['kind'],
  rows: readonly SuspectRow[],
  idOf: (row: SuspectRow) => string | null,
): Omit<Suspect, 'name'>[] {
  const groups = new Map<string, SuspectRow[]>();
  for (const row of rows) {
    const id = idOf(row);
    if (id === null) continue;
    groups.set(id, [...(groups.get(id) ?? []), row]);
  }
  return [...groups].map(([id, own]) => ({ kind, id, bad: sumOf(own, 'bad'), all: sumOf(own, 'all') }));
}

const sumOf = (rows: readonly SuspectRow[], of: 'bad' | 'all'): number => rows.reduce((sum, row) => sum + row[of], 0);

/** Imports have no name: the time at which the file came. */
function importName(at: Date | null): string {
  return at === null ? '' : `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/** Members of a team that get mail about it. */
const maxAddresses = 5;

@Injectable()
export class PostgresGuardedDomains extends GuardedDomains {
  async nameOf(domainId: string, transaction: Transaction): Promise<string | undefined> {
    const [row] = await statementsOf(transaction).query<{ name: string }>({
      text: 'SELECT name FROM published_domains WHERE id = $1',
      values: [domainId],
    });
    return row?.name;
  }

  async addressesOf(teamId: string, transaction: Transaction): Promise<readonly string[]> {
    const rows = await statementsOf(transaction).query<{ email: string }>({
      text: `SELECT email FROM published_member_addresses WHERE team_id = $1 AND role IN ('owner', 'admin')
             ORDER BY role DESC, email LIMIT ${maxAddresses}`,
      values: [teamId],
    });
    return rows.map(({ email }) => email);
  }
}
