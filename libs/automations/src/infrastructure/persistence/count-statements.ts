import { DatabaseTransaction, Statement, storableJson } from '#postgres/database';
import { RunTally, StepTally } from '../../application/tally.js';
import { StepCounts } from '../../domain/counts.js';
import { ConnectionType, connectionTypes } from '../../domain/graph.js';

/** Rows of one number: writers of several processes rarely wait for each other. */
export const countShards = 8;

const stepNumbers = ['entered', 'waiting', 'completed', 'failed', 'skipped', 'sent'] as const;
const passedNumbers = connectionTypes.map((type) => `passed_${type}`);
const runNumbers = ['started', 'completed', 'failed', 'cancelled', 'not_entered', 'goals'] as const;

const mailNumbers = ['sent', 'delivered', 'opened', 'clicked', 'bounced', 'complained', 'unsubscribed'] as const;
const stepColumns = [...stepNumbers, ...passedNumbers];

/** What an upsert adds to each of the columns. */
export const addedTo = (columns: readonly string[]): string =>
  columns.map((name) => `${name} = c.${name} + excluded.${name}`).join(', ');
const integers = (columns: readonly string[]): string => columns.map((name) => `${name} integer`).join(', ');

const addSteps = `INSERT INTO automation_step_counts AS c (automation_id, step_key, shard, ${stepColumns.join(', ')})
  SELECT automation_id, step_key, pg_backend_pid() % ${countShards}, ${stepColumns.join(', ')}
  FROM json_to_recordset($1::json) AS n (automation_id uuid, step_key text, ${integers(stepColumns)})
  ON CONFLICT (automation_id, step_key, shard) DO UPDATE SET ${addedTo(stepColumns)}`;

const addRuns = `INSERT INTO automation_run_counts AS c (automation_id, shard, ${runNumbers.join(', ')})
  SELECT automation_id, pg_backend_pid() % ${countShards}, ${runNumbers.join(', ')}
  FROM json_to_recordset($1::json) AS n (automation_id uuid, ${integers(runNumbers)})
  ON CONFLICT (automation_id, shard) DO UPDATE SET ${addedTo(runNumbers)}`;

/** Adds to the numbers of steps, and then to those of runs: in this order everywhere. Sends both before it waits. */
export async function addTally(
  { steps, runs }: { readonly steps: readonly StepTally[]; readonly runs: readonly RunTally[] },
  statements: DatabaseTransaction,
): Promise<void> {
  const writes: Promise<unknown>[] = [];
  if (steps.length > 0) {
    writes.push(
      statements.execute({ name: 'add-step-counts', text: addSteps, values: [storableJson(steps.map(stepCountRow))] }),
    );
  }
  if (runs.length > 0) {
    writes.push(
      statements.execute({ name: 'add-run-counts', text: addRuns, values: [storableJson(runs.map(runCountRow))] }),
    );
  }
  await Promise.all(writes);
}

function stepCountRow({ automationId, stepKey, passed, ...counts }: StepTally): object {
  const passes = connectionTypes.map((type): [string, number] => [`passed_${type}`, passed[type] ?? 0]);
  return { automation_id: automationId, step_key: stepKey, ...counts, ...Object.fromEntries(passes) };
}

function runCountRow({ automationId, notEntered, ...counts }: RunTally): object {
  return { automation_id: automationId, not_entered: notEntered, ...counts };
}

const sums = (columns: readonly string[]): string =>
  columns.map((name) => `greatest(sum(${name}), 0)::float8 AS ${name}`).join(', ');

export type StepCountRow = { readonly step_key: string } & Readonly<Record<string, number | string>>;

export function runCountsOf(automationId: string): Statement {
  return {
    text: `SELECT ${sums(runNumbers).replace('AS not_entered', 'AS "notEntered"')}
           FROM automation_run_counts WHERE automation_id = $1 HAVING count(*) > 0`,
    values: [automationId],
  };
}

export function totalsOf(automationIds: readonly string[]): Statement {
  return {
    text: `WITH runs AS (
             SELECT automation_id, sum(started) AS started, sum(started - completed - failed - cancelled) AS running
             FROM automation_run_counts WHERE automation_id = ANY($1::uuid[]) GROUP BY 1
           ), emails AS (
             SELECT automation_id, sum(sent) AS sent
             FROM automation_step_counts WHERE automation_id = ANY($1::uuid[]) GROUP BY 1
           )
           SELECT automation_id AS id, greatest(started, 0)::float8 AS runs, greatest(running, 0)::float8 AS running,
                  greatest(coalesce(sent, 0), 0)::float8 AS emails
           FROM runs LEFT JOIN emails USING (automation_id)`,
    values: [automationIds],
  };
}

export function stepCountsOf(automationId: string): Statement {
  return {
    text: `SELECT step_key, ${sums([...new Set([...stepColumns, ...mailNumbers])])}
           FROM automation_step_counts WHERE automation_id = $1 GROUP BY step_key`,
    values: [automationId],
  };
}

export function stepCountsFrom(row: StepCountRow): StepCounts {
  const number = (name: string): number => Number(row[name] ?? 0);
  const of = <Name extends string>(names: readonly Name[]): Record<Name, number> =>
    Object.fromEntries(names.map((name) => [name, number(name)])) as Record<Name, number>;
  const passes = connectionTypes.map((type) => [type, number(`passed_${type}`)]);
  return {
    ...of(['entered', 'waiting', 'completed', 'failed', 'skipped']),
    passed: Object.fromEntries(passes) as Record<ConnectionType, number>,
    emails: of(mailNumbers),
  };
}
