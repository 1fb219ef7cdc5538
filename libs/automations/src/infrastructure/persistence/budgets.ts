/** How many runs automations have caused by themselves: of each origin in a day, and of each team in a minute. */
import { Transaction } from '#kernel';
import { claimed, statementsOf, storableJson } from '#postgres/database';
import { NewRun } from '../../application/ports/event-queue.port.js';
import { DueRun } from '../../application/ports/run-queue.port.js';
import { maxCausedRunsPerMinute, maxRunsOfOrigin } from '../../domain/budget.js';

const [minuteMs, dayMs] = [60_000, 86_400_000];
/** Rows that one statement removes. */
const removedAtOnce = 5_000;

/** Counts runs on their origins and teams. Returns how many runs each origin had before. */
export async function spendOn(
  caused: readonly NewRun[],
  now: Date,
  transaction: Transaction,
): Promise<ReadonlyMap<string, number>> {
  const added = new Map<string, { runs: number; readonly since: Date; readonly windowFrom: Date }>();
  const minute = new Date(Math.floor(now.getTime() / minuteMs) * minuteMs);
  const count = (id: string, since: Date, windowFrom: Date): void => {
    const known = added.get(id) ?? { runs: 0, since, windowFrom };
    known.runs++;
    added.set(id, known);
  };
  for (const { originId, teamId } of caused) {
    count(originId, now, new Date(now.getTime() - dayMs));
    count(teamId, minute, minute);
  }
  const rows = await statementsOf(transaction).query<{ id: string; runs: number }>({
    name: 'spend-budgets-of-automations',
    text: `INSERT INTO automation_budgets AS b (id, runs, since)
           SELECT id, runs, since
           FROM json_to_recordset($1::json) AS n (id uuid, runs integer, since timestamptz) ORDER BY id
           ON CONFLICT (id) DO UPDATE SET (runs, since) = (
             SELECT CASE WHEN b.since >= n.window_from THEN b.runs ELSE 0 END + n.runs,
                    CASE WHEN b.since >= n.window_from THEN b.since ELSE n.since END
             FROM json_to_recordset($1::json) AS n (id uuid, runs integer, since timestamptz, window_from timestamptz)
             WHERE n.id = excluded.id)
           RETURNING id, runs`,
    values: [
      storableJson(
        [...added].map(([id, { runs, since, windowFrom }]) => ({ id, runs, since, window_from: windowFrom })),
      ),
    ],
  });
  return new Map(rows.map(({ id, runs }) => [id, runs - (added.get(id)?.runs ?? 0)]));
}

/** The origins and teams of runs that have spent what they have. */
export async function spentOf(
  due: readonly DueRun[],
  now: Date,
  transaction: Transaction,
): Promise<ReadonlySet<string>> {
  const rows = await statementsOf(transaction).query<{ id: string }>({
    name: 'spent-budgets-of-automations',
    text: `SELECT id FROM automation_budgets
           WHERE (id = ANY ($1::uuid[]) AND runs >= ${maxRunsOfOrigin} AND since >= $3)
              OR (id = ANY ($2::uuid[]) AND runs >= ${maxCausedRunsPerMinute} AND since >= $4)`,
    values: [
      [...new Set(due.map(({ run }) => run.originId))],
      [...new Set(due.map(({ run }) => run.teamId))],
      new Date(now.getTime() - dayMs),
      new Date(Math.floor(now.getTime() / minuteMs) * minuteMs),
    ],
  });
  return new Set(rows.map(({ id }) => id));
}

/** Returns whether there may be more of those whose day is over. */
export async function removeOldBudgets(transaction: Transaction): Promise<boolean> {
  const removed = await statementsOf(transaction).execute({
    text: `DELETE FROM automation_budgets WHERE ${claimed(
      'id',
      `FROM automation_budgets WHERE since < now() - interval '1 day' ORDER BY since LIMIT ${removedAtOnce}`,
    )}`,
  });
  return removed === removedAtOnce;
}
