import { Injectable } from '@nestjs/common';
import { Transaction } from '#kernel';
import { Database, Statement, statementsOf } from '#postgres/database';
import { maxRemovedRows, Purge, PurgeMoment, Purges } from '#postgres/retention';
import { CountedMessages, SendingUsage } from '../../application/ports/team-limits.port.js';
import { MessageCount, periodsOf, TeamUsage } from '../../domain/limits.js';

type UsageRow = { teamId: string; period: string; sent: number; received: number };

const none: MessageCount = { sent: 0, received: 0 };

@Injectable()
export class PostgresSendingUsage extends SendingUsage {
  constructor(private readonly database: Database) {
    super();
  }

  async count(
    messages: readonly CountedMessages[],
    at: Date,
    transaction: Transaction,
    direction: keyof MessageCount,
  ): Promise<ReadonlyMap<string, TeamUsage>> {
    const { day, month } = periodsOf(at);
    const teams = totals(messages);
    // Sorted, so that transactions that count for the same teams lock the counters in the same order and cannot
    // deadlock.
    const teamIds = [...teams.keys()].sort();
    const rows = await statementsOf(transaction).query<UsageRow>({
      name: `count-${direction}-usage`,
      text: `INSERT INTO sending_usage AS u (team_id, period, ${direction})
             SELECT team_id, period, messages
             FROM unnest($1::uuid[], $2::int[]) AS t (team_id, messages), unnest($3::text[]) AS p (period)
             ORDER BY team_id, period
             ON CONFLICT (team_id, period) DO UPDATE SET ${direction} = u.${direction} + excluded.${direction}
             RETURNING team_id AS "teamId", period, sent::float8 AS sent, received::float8 AS received`,
      values: [teamIds, teamIds.map((teamId) => teams.get(teamId)), [day, month]],
    });
    return new Map(teamIds.map((teamId) => [teamId, usageOf(rows, teamId, day, month)]));
  }

  async countKeys(
    messages: ReadonlyMap<string, number>,
    at: Date,
    transaction: Transaction,
  ): Promise<ReadonlyMap<string, number>> {
    // Sorted for the same reason.
    const ids = [...messages.keys()].sort();
    const rows = await statementsOf(transaction).query<{ id: string; sent: number }>({
      name: 'count-key-usage',
      text: `INSERT INTO api_key_usage AS u (api_key_id, day, sent)
             SELECT id, $3::date, messages FROM unnest($1::uuid[], $2::int[]) AS k (id, messages) ORDER BY id
             ON CONFLICT (api_key_id, day) DO UPDATE SET sent = u.sent + excluded.sent
             RETURNING api_key_id AS id, sent::float8 AS sent`,
      values: [ids, ids.map((id) => messages.get(id)), periodsOf(at).day],
    });
    return new Map(rows.map(({ id, sent }) => [id, sent]));
  }

  async readKey(apiKeyId: string, at: Date): Promise<number> {
    const [row] = await this.database.query<{ sent: number }>({
      name: 'read-key-usage',
      text: 'SELECT sent::float8 AS sent FROM api_key_usage WHERE api_key_id = $1 AND day = $2::date',
      values: [apiKeyId, periodsOf(at).day],
    });
    return row?.sent ?? 0;
  }

  async read(teamId: string, at: Date): Promise<TeamUsage> {
    const { day, month } = periodsOf(at);
    const rows = await this.database.query<UsageRow>({
      name: 'read-sending-usage',
      text: `SELECT team_id AS "teamId", period, sent::float8 AS sent, received::float8 AS received
             FROM sending_usage WHERE team_id = $1 AND period = ANY ($2)`,
      values: [teamId, [day, month]],
    });
    return usageOf(rows, teamId, day, month);
  }
}

function totals(messages: readonly CountedMessages[]): Map<string, number> {
  const teams = new Map<string, number>();
  for (const { teamId, messages: count } of messages) teams.set(teamId, (teams.get(teamId) ?? 0) + count);
  return teams;
}

function usageOf(rows: readonly UsageRow[], teamId: string, day: string, month: string): TeamUsage {
  const of = (period: string): MessageCount =>
    rows.find((row) => row.teamId === teamId && row.period === period) ?? none;
  return { daily: of(day), monthly: of(month) };
}

/** Quotas need only the counters of the current day and month. Older ones are kept for operators. */
const keptDays = 62;
const keptMonthsInDays = 400;
const dayMs = 86_400_000;

/** Removes old counters of days and months. */
@Injectable()
export class UsagePurge extends Purge {
  constructor(purges: Purges) {
    super(purges);
  }

  override leftovers({ now }: PurgeMoment): readonly Statement[] {
    const daysAgo = (days: number): string => new Date(now.getTime() - days * dayMs).toISOString();
    return [
      {
        text: `DELETE FROM sending_usage WHERE ctid = ANY (ARRAY(
                 SELECT ctid FROM sending_usage
                 WHERE length(period) = 10 AND period < $1 OR length(period) = 7 AND period < $2
                 LIMIT ${maxRemovedRows}))`,
        values: [daysAgo(keptDays).slice(0, 10), daysAgo(keptMonthsInDays).slice(0, 7)],
      },
      {
        text: `DELETE FROM api_key_usage WHERE ctid = ANY (ARRAY(
                 SELECT ctid FROM api_key_usage WHERE day < $1::date LIMIT ${maxRemovedRows}))`,
        values: [daysAgo(keptDays).slice(0, 10)],
      },
    ];
  }
}
