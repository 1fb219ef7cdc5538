import { Page, pageOf, PageRequest, Transaction } from '#kernel';
import { Database, keysetCondition, statementsOf } from '#postgres/database';
import { Injectable } from '@nestjs/common';
import { SuppressionChoice, SuppressionRepository } from '../../application/ports/suppression-repository.port.js';
import { concealedPrefix, Suppression, SuppressionOrigin } from '../../domain/suppression.js';

type Row = Suppression & Record<string, unknown>;

const columns = 'id, team_id AS "teamId", email, origin, source_id AS "sourceId", created_at AS "createdAt"';

@Injectable()
export class PostgresSuppressionRepository extends SuppressionRepository {
  constructor(private readonly database: Database) {
    super();
  }

  async add(suppressions: readonly Suppression[], transaction: Transaction): Promise<readonly string[]> {
    const entries = distinct(suppressions);
    const rows = await statementsOf(transaction).query<{ teamId: string; email: string; id: string }>({
      // The update changes nothing. It makes RETURNING include the existing entry, even one that was committed a moment
      // ago.
      text: `INSERT INTO suppressions (id, team_id, email, origin, source_id, created_at)
             SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::uuid[], $6::timestamptz[])
             ON CONFLICT (team_id, email) DO UPDATE SET email = EXCLUDED.email
             RETURNING team_id AS "teamId", email, id`,
      values: [
        entries.map(({ id }) => id),
        entries.map(({ teamId }) => teamId),
        entries.map(({ email }) => email),
        entries.map(({ origin }) => origin),
        entries.map(({ sourceId }) => sourceId),
        entries.map(({ createdAt }) => createdAt),
      ],
    });
    const ids = new Map(rows.map((row) => [keyOf(row), row.id]));
    return suppressions.map((suppression) => ids.get(keyOf(suppression)) ?? suppression.id);
  }

  async find(teamId: string, choice: SuppressionChoice): Promise<Suppression | undefined> {
    const { condition, value } = conditionOf(choice);
    const [row] = await this.database.query<Row>({
      text: `SELECT ${columns} FROM suppressions WHERE team_id = $1 AND ${condition}`,
      values: [teamId, value],
    });
    return row;
  }

  async list(teamId: string, page: PageRequest, origin: SuppressionOrigin | undefined): Promise<Page<Suppression>> {
    const filter = origin === undefined ? [] : [origin];
    const { condition, order, values } = keysetCondition(page, 2 + filter.length);
    const rows = await this.database.query<Row>({
      text: `SELECT ${columns} FROM suppressions
             WHERE team_id = $1 ${origin === undefined ? '' : 'AND origin = $2'} ${condition} ${order}`,
      values: [teamId, ...filter, ...values],
    });
    return pageOf(page, rows);
  }

  async remove(teamId: string, choice: SuppressionChoice, transaction: Transaction): Promise<readonly Suppression[]> {
    const { condition, value } = conditionOf(choice);
    const removed = await statementsOf(transaction).query<Row>({
      text: `DELETE FROM suppressions WHERE team_id = $1 AND ${condition} RETURNING ${columns}`,
      values: [teamId, value],
    });
    return removed.sort((a, b) => positionIn(choice, a) - positionIn(choice, b));
  }

  among(
    addresses: readonly { readonly teamId: string; readonly email: string }[],
    transaction: Transaction,
  ): Promise<readonly Pick<Suppression, 'id' | 'teamId' | 'email' | 'origin'>[]> {
    return statementsOf(transaction).query<Row>({
      name: 'suppressed-among',
      text: `SELECT s.id, s.team_id AS "teamId", s.email, s.origin
             FROM unnest($1::uuid[], $2::text[]) AS requested (team_id, email) JOIN suppressions s USING (team_id, email)`,
      values: [addresses.map(({ teamId }) => teamId), addresses.map(({ email }) => email)],
    });
  }

  async teamsThatConceal(teamIds: readonly string[], transaction: Transaction): Promise<ReadonlySet<string>> {
    const rows = await statementsOf(transaction).query<{ teamId: string }>({
      name: 'teams-that-conceal',
      text: `SELECT team_id AS "teamId" FROM unnest($1::uuid[]) AS requested (team_id)
             WHERE EXISTS (SELECT FROM suppressions s WHERE s.team_id = requested.team_id AND s.email LIKE '${concealedPrefix}%')`,
      values: [teamIds],
    });
    return new Set(rows.map(({ teamId }) => teamId));
  }

  async replaceAddress(teamId: string, email: string, by: string, transaction: Transaction): Promise<boolean> {
    const replaced = await statementsOf(transaction).execute({
      text: `UPDATE suppressions SET email = $3 WHERE team_id = $1 AND email = $2
               AND NOT EXISTS (SELECT FROM suppressions WHERE team_id = $1 AND email = $3)`,
      values: [teamId, email, by],
    });
    return replaced > 0;
  }
}

/** Each address once, sorted, so that transactions lock shared addresses in the same order and cannot deadlock. */
function distinct(suppressions: readonly Suppression[]): Suppression[] {
  const entries = new Map<string, Suppression>();
  for (const suppression of suppressions) {
    if (!entries.has(keyOf(suppression))) entries.set(keyOf(suppression), suppression);
  }
  return [...entries].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, suppression]) => suppression);
}

function keyOf({ teamId, email }: { readonly teamId: string; readonly email: string }): string {
  return `${teamId} ${email}`;
}

function conditionOf(choice: SuppressionChoice): { condition: string; value: readonly string[] } {
  return 'ids' in choice
    ? { condition: 'id = ANY($2::uuid[])', value: choice.ids }
    : { condition: 'email = ANY($2::text[])', value: choice.emails };
}

function positionIn(choice: SuppressionChoice, row: { readonly id: string; readonly email: string }): number {
  return 'ids' in choice ? choice.ids.indexOf(row.id) : choice.emails.indexOf(row.email);
}
