import { storableText } from '#kernel';
import { Row, Statement, storableJson } from '#postgres/database';
import { AdvancedRun } from '../../application/ports/run-queue.port.js';
import { Payload } from '../../domain/event-definition.js';
import { isNoted, Run } from '../../domain/run.js';
import { countShards } from './count-statements.js';

/** What every run has, and little of it. */
export const smallColumns = `r.id, r.team_id AS "teamId", r.automation_id AS "automationId", r.version, r.trigger_key AS "triggerKey",
  r.contact_id AS "contactId", r.status, r.step_key AS "stepKey",
  r.is_waiting AS "isWaiting", r.postponed_because IS NOT NULL AS "isPostponed", r.has_event AS "hasEvent", r.depth,
  r.is_answer AS "isAnswer", r.goals, coalesce(r.origin_id, r.event_id) AS "originId",
  r.reached_goal AS "reachedGoal", r.troubles, r.created_at AS "createdAt", r.started_at AS "startedAt", r.completed_at AS "completedAt"`;

export const runColumns = `${smallColumns}, r.payload, r.wait_events AS "waitEvents", r.webhooks, r.call`;

/** What most runs do not have is null. */
export type RunRow = Row<
  Omit<Run, 'waitEvents' | 'webhooks' | 'goals'> & {
    readonly waitEvents: Readonly<Record<string, Payload>> | null;
    readonly webhooks: Readonly<Record<string, unknown>> | null;
    readonly goals: readonly string[] | null;
  }
>;

export function runOf({ waitEvents, webhooks, goals, ...row }: RunRow): Run {
  return { ...row, waitEvents: waitEvents ?? {}, webhooks: webhooks ?? {}, goals: goals ?? [] };
}

/** Runs that one statement cancels. */
export const maxCancelled = 1_000;

/** The runs of a stopped automation that began before, in the order of their index. */
const ofStopped = `SELECT id FROM automation_runs WHERE automation_id = $1 AND completed_at IS NULL AND created_at <= $2
  ORDER BY version, created_at LIMIT ${maxCancelled} FOR UPDATE`;

/** One run, if it is running. */
const oneRunning = `SELECT id FROM automation_runs WHERE automation_id = $1 AND id = $3 AND status = 'running' FOR UPDATE`;

/** Cancels runs, skips what they were waiting for, and counts both. Each returned row is a run that was cancelled. */
function cancelRuns(found: string): string {
  return `WITH found AS MATERIALIZED (${found}), cancelled AS (
      UPDATE automation_runs
      SET status = 'cancelled', step_key = NULL, due_at = NULL, waiting_event = NULL, goal_events = NULL, completed_at = $2
      WHERE id IN (SELECT id FROM found) RETURNING id
    ), uncalled AS (
      DELETE FROM automation_calls WHERE run_id IN (SELECT id FROM found)
    ), skipped AS (
      UPDATE automation_run_steps SET status = 'skipped', completed_at = $2
      WHERE run_id IN (SELECT id FROM found) AND status = 'waiting' RETURNING step_key
    ), counted_steps AS (
      INSERT INTO automation_step_counts AS c (automation_id, step_key, shard, waiting, skipped)
      SELECT $1, step_key, pg_backend_pid() % ${countShards}, -count(*), count(*) FROM skipped GROUP BY step_key ORDER BY step_key
      ON CONFLICT (automation_id, step_key, shard) DO UPDATE
      SET waiting = c.waiting + excluded.waiting, skipped = c.skipped + excluded.skipped
    ), counted_runs AS (
      INSERT INTO automation_run_counts AS c (automation_id, shard, cancelled)
      SELECT $1, pg_backend_pid() % ${countShards}, count(*) FROM cancelled HAVING count(*) > 0
      ON CONFLICT (automation_id, shard) DO UPDATE SET cancelled = c.cancelled + excluded.cancelled
    )
    SELECT id FROM cancelled`;
}

/** Cancels some runs that began before an automation was stopped. */
export function cancelStopped(automationId: string, stoppedAt: Date): Statement {
  return { text: cancelRuns(ofStopped), values: [automationId, stoppedAt] };
}

export function cancelOne(automationId: string, id: string, now: Date): Statement {
  return { text: cancelRuns(oneRunning), values: [automationId, now, id] };
}

/** The columns of a run that say what is next. */
export function nextRow({ run: { id }, next }: AdvancedRun): object {
  if (next.status !== 'running') return { id, status: next.status, is_waiting: false };
  const { status, stepKey, isWaiting, waitingEvent, dueAt, postponedBecause, goals } = next;
  return {
    id,
    status,
    step_key: stepKey,
    is_waiting: isWaiting,
    waiting_event: waitingEvent,
    due_at: dueAt,
    postponed_because: postponedBecause,
    ...(goals.length > 0 && {
      goals: goals.map((goal) => goal.stepKey),
      goal_events: goals.map(({ eventName }) => eventName),
    }),
  };
}

/** The columns of steps, in the order in which they are written, with their types. */
const stepColumns = [
  ['run_id', 'uuid'],
  ['automation_id', 'uuid'],
  ['step_key', 'text'],
  ['type', 'text'],
  ['status', 'text'],
  ['output', 'jsonb'],
  ['error', 'text'],
  ['email_id', 'uuid'],
  ['started_at', 'timestamptz'],
  ['completed_at', 'timestamptz'],
] as const;

const insertSteps = `INSERT INTO automation_run_steps (${stepColumns.map(([name]) => name).join(', ')})
  SELECT * FROM unnest(${stepColumns.map(([, type], no) => `$${no + 1}::${type}[]`).join(', ')})`;

/**
 * Writes what steps came to. Most of them are new; of those that were waiting there is a row. Arrays and a plain insert
 * took 18 µs of PostgreSQL for a step, JSON with ON CONFLICT 27.
 */
export function recordSteps(advanced: readonly AdvancedRun[]): readonly Statement[] {
  const rows = advanced.flatMap(({ run, steps }) => steps.map((step) => ({ run, step })));
  const isKnown = ({ run, step }: StepOfRun): boolean => isNoted(run, step.key);
  const [added, known] = [rows.filter((row) => !isKnown(row)), rows.filter(isKnown)];
  const statements: Statement[] = [];
  if (added.length > 0) {
    statements.push({ name: 'add-automation-steps', text: insertSteps, values: stepValues(added) });
  }
  if (known.length > 0) {
    statements.push({
      name: 'change-automation-steps',
      text: `${insertSteps}
             ON CONFLICT (run_id, step_key) DO UPDATE
             SET status = excluded.status, output = excluded.output, error = excluded.error, email_id = excluded.email_id,
                 completed_at = excluded.completed_at`,
      values: stepValues(known),
    });
  }
  return statements;
}

interface StepOfRun {
  readonly run: Run;
  readonly step: AdvancedRun['steps'][number];
}

function stepValues(rows: readonly StepOfRun[]): unknown[][] {
  return [
    rows.map(({ run }) => run.id),
    rows.map(({ run }) => run.automationId),
    rows.map(({ step }) => step.key),
    rows.map(({ step }) => step.type),
    rows.map(({ step }) => step.status),
    rows.map(({ step }) => step.output && storableJson(step.output)),
    rows.map(({ step }) => step.error && storableText(step.error)),
    rows.map(({ step }) => step.emailId ?? null),
    rows.map(({ step }) => step.startedAt?.toISOString()),
    rows.map(({ step }) => step.completedAt?.toISOString()),
  ];
}

export const addCalls = `INSERT INTO automation_calls (id, team_id, run_id, step_key, url, body, due_at)
  SELECT id, team_id, run_id, step_key, url, body, $2
  FROM json_to_recordset($1::json) AS n (id uuid, team_id uuid, run_id uuid, step_key text, url text, body jsonb)`;

/** The call with which a run rests. */
export function callRows({ run, next }: AdvancedRun): readonly object[] {
  if (next.status !== 'running' || next.call === null) return [];
  const { id, url, body } = next.call;
  return [{ id, team_id: run.teamId, run_id: run.id, step_key: next.stepKey, url, body }];
}

/** A run that ends while it waits leaves a call behind, if it was waiting for one. */
export function callsLeft({ run, next, steps }: AdvancedRun): readonly string[] {
  const isEnd = next.status !== 'running' && run.isWaiting;
  return isEnd && steps.some(({ key, type }) => key === run.stepKey && type === 'webhook') ? [run.id] : [];
}
