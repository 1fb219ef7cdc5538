import { Row, Statement } from '#postgres/database';
import { Payload } from '../../domain/event-definition.js';
import { AdvancedRun } from '../../application/ports/run-queue.port.js';
import { Run, RunStep } from '../../domain/run.js';

export const runColumns = `r.id, r.team_id AS "teamId", r.automation_id AS "automationId", r.version, r.trigger_key AS "triggerKey",
  r.contact_id AS "contactId", r.status, r.payload, r.wait_events AS "waitEvents", r.step_key AS "stepKey",
  r.is_waiting AS "isWaiting", r.has_event AS "hasEvent", r.troubles, r.created_at AS "createdAt", r.started_at AS "startedAt",
  r.completed_at AS "completedAt"`;

export type RunRow = Row<Omit<Run, 'waitEvents'> & { readonly waitEvents: Readonly<Record<string, Payload>> | null }>;

export function runOf({ waitEvents, ...row }: RunRow): Run {
  return { ...row, waitEvents: waitEvents ?? {} };
}

/** Runs that one statement cancels. */
export const maxCancelled = 1_000;

/** Cancels runs that began before an automation was stopped. */
export function cancelStopped(automationId: string, stoppedAt: Date): Statement {
  return {
    text: `UPDATE automation_runs SET status = 'cancelled', step_key = NULL, due_at = NULL, waiting_event = NULL, completed_at = $2
           WHERE id IN (
             SELECT id FROM automation_runs WHERE automation_id = $1 AND completed_at IS NULL AND created_at <= $2
             ORDER BY created_at LIMIT ${maxCancelled} FOR UPDATE)`,
    values: [automationId, stoppedAt],
  };
}

const noTeam = '00000000-0000-0000-0000-000000000000';

/** Teams that one search looks at. */
const maxTeams = 500;

/**
 * Teams with events, one probe of the index for each, from the one behind $1. With many teams the next search goes on
 * where this one ended.
 */
export const teamsWithEvents = `RECURSIVE in_turn AS (
    (SELECT team_id, 1 AS no FROM custom_event_occurrences WHERE team_id > $1 ORDER BY team_id LIMIT 1)
    UNION ALL
    SELECT n.team_id, t.no + 1 FROM in_turn t CROSS JOIN LATERAL (
      SELECT team_id FROM custom_event_occurrences WHERE team_id > t.team_id ORDER BY team_id LIMIT 1
    ) n WHERE t.no < ${maxTeams}
  )`;

/** The same for teams with runs that are due now or later. */
export const teamsWithRuns = `RECURSIVE in_turn AS (
    (SELECT team_id, 1 AS no FROM automation_runs WHERE team_id > $1 AND due_at IS NOT NULL ORDER BY team_id LIMIT 1)
    UNION ALL
    SELECT n.team_id, t.no + 1 FROM in_turn t CROSS JOIN LATERAL (
      SELECT team_id FROM automation_runs WHERE team_id > t.team_id AND due_at IS NOT NULL ORDER BY team_id LIMIT 1
    ) n WHERE t.no < ${maxTeams}
  )`;

/** The team behind which the next search begins. */
export class Turn {
  private after = noTeam;

  get cursor(): string {
    return this.after;
  }

  /** The last team of a search, in its order. Undefined: there was none, so that the next search begins with the first team. */
  move(last: string | undefined): void {
    this.after = last ?? noTeam;
  }
}

/** The columns of a run that say what is next. */
export function nextRow({ run: { id }, next }: AdvancedRun): object {
  if (next.status !== 'running') return { id, status: next.status, is_waiting: false };
  const { status, stepKey, isWaiting, waitingEvent, dueAt, postponedBecause } = next;
  return {
    id,
    status,
    step_key: stepKey,
    is_waiting: isWaiting,
    waiting_event: waitingEvent,
    due_at: dueAt,
    postponed_because: postponedBecause,
  };
}

export function stepRow(runId: string, step: RunStep & { readonly emailId?: string }): object {
  return {
    run_id: runId,
    step_key: step.key,
    type: step.type,
    status: step.status,
    output: step.output,
    error: step.error,
    email_id: step.emailId ?? null,
    started_at: step.startedAt,
    completed_at: step.completedAt,
  };
}
