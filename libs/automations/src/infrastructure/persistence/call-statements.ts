import { AdvancedRun } from '../../application/ports/run-queue.port.js';

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
