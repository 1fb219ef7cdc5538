import { Transaction } from '#kernel';
import { statementsOf, storableJson } from '#postgres/database';
import { NewRun } from '../../application/ports/event-queue.port.js';
import { Tally } from '../../application/tally.js';
import { addTally } from './count-statements.js';

/** Writes runs that begin, and those that have failed at once. Runs that exist are left as they are. */
export async function beginRuns(
  runs: readonly NewRun[],
  notEntered: ReadonlyMap<string, number>,
  now: Date,
  transaction: Transaction,
): Promise<void> {
  const payloads = new Map(runs.map(({ eventId, payload }) => [eventId, payload]));
  const statements = statementsOf(transaction);
  const begun = await statements.query<{ id: string }>({
    name: 'begin-automation-runs',
    text: `WITH begun AS (
             INSERT INTO automation_runs (id, team_id, automation_id, version, event_id, trigger_key, contact_id, contact_email,
                                          payload, event_position, origin_id, depth, is_answer, status, step_key, due_at,
                                          created_at, completed_at)
             SELECT r.id, r.team_id, r.automation_id, r.version, r.event_id, r.trigger_key, r.contact_id, r.contact_email,
                    e.payload, r.event_position, r.origin_id, r.depth, r.is_answer,
                    CASE WHEN r.refusal IS NULL THEN 'running' ELSE 'failed' END,
                    CASE WHEN r.refusal IS NULL THEN r.trigger_key END, CASE WHEN r.refusal IS NULL THEN $3::timestamptz END, $3,
                    CASE WHEN r.refusal IS NOT NULL THEN $3::timestamptz END
             FROM json_to_recordset($1::json) AS r (id uuid, team_id uuid, automation_id uuid, version integer, event_id uuid,
                                                    trigger_key text, contact_id uuid, contact_email text, event_position bigint,
                                                    origin_id uuid, depth smallint, is_answer boolean, refusal text)
             JOIN json_to_recordset($2::json) AS e (id uuid, payload jsonb) ON e.id = r.event_id
             ON CONFLICT (event_id, automation_id, trigger_key) DO NOTHING
             RETURNING id, team_id
           ), refused AS (
             INSERT INTO automation_run_steps (run_id, automation_id, step_key, type, status, error, started_at, completed_at)
             SELECT r.id, r.automation_id, r.trigger_key, 'trigger', 'failed', r.refusal, $3, $3
             FROM json_to_recordset($1::json) AS r (id uuid, automation_id uuid, trigger_key text, refusal text)
             JOIN begun b ON b.id = r.id WHERE r.refusal IS NOT NULL
           ), used AS (
             INSERT INTO automation_usage AS u (team_id, month, runs)
             SELECT team_id, date_trunc('month', $3::timestamptz AT TIME ZONE 'UTC')::date, count(*) FROM begun
             GROUP BY team_id ORDER BY team_id
             ON CONFLICT (team_id, month) DO UPDATE SET runs = u.runs + excluded.runs
           )
           SELECT id FROM begun`,
    values: [
      storableJson(
        runs.map((run) => ({
          id: run.id,
          team_id: run.teamId,
          automation_id: run.automationId,
          version: run.version,
          event_id: run.eventId,
          event_position: run.eventPosition,
          origin_id: run.originId,
          trigger_key: run.triggerKey,
          contact_id: run.contactId,
          contact_email: run.contactEmail,
          depth: run.depth,
          is_answer: run.isAnswer,
          refusal: run.refusal,
        })),
      ),
      storableJson([...payloads].map(([id, payload]) => ({ id, payload }))),
      now,
    ],
  });
  const ids = new Set(begun.map(({ id }) => id));
  await addTally(
    tallyOf(
      runs.filter(({ id }) => ids.has(id)),
      notEntered,
    ),
    statements,
  );
}

function tallyOf(begun: readonly NewRun[], notEntered: ReadonlyMap<string, number>): Tally {
  const tally = new Tally();
  for (const { automationId, triggerKey, refusal } of begun) {
    tally.run(automationId).started++;
    if (refusal === null) continue;
    tally.run(automationId).failed++;
    const step = tally.step(automationId, triggerKey);
    step.entered++;
    step.failed++;
  }
  for (const [automationId, contacts] of notEntered) tally.run(automationId).notEntered += contacts;
  return tally;
}
