import { Row, Statement } from '#postgres/database';
import { Payload } from '../../domain/event-definition.js';
import { AdvancedRun } from '../../application/ports/run-queue.port.js';
import { Run, RunStep } from '../../domain/run.js';

export const runColumns = `r.id, r.team_id AS "teamId", r.automation_id AS "automationId", r.version, r.trigger_key AS "triggerKey",
  r.contact_id AS "contactId", r.status, r.payload, r.wait_events AS "waitEvents", r.step_key AS "stepKey",
  r.is_waiting AS "isWaiting", r.has_event AS "hasEvent", r.depth, r.goals, r.reached_goal AS "reachedGoal", r.webhooks, r.call, r.troubles, r.created_at AS "createdAt", r.started_at AS "startedAt",
  r.completed_at AS "completedAt"`;

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

/** Cancels runs that began before an automation was stopped. */
export function cancelStopped(automationId: string, stoppedAt: Date): Statement {
  return {
    text: `UPDATE automation_runs SET status = 'cancelled', step_key = NULL, due_at = NULL, waiting_event = NULL, goal_events = NULL, completed_at = $2
           WHERE id IN (
             SELECT id FROM automation_runs WHERE automation_id = $1 AND completed_at IS NULL AND created_at <= $2
             ORDER BY created_at LIMIT ${maxCancelled} FOR UPDATE)`,
    values: [automationId, stoppedAt],
  };
}

/** The columns of a run that say what is next. */
export function nextRow({ run: { id }, next }: AdvancedRun): object {
  if (next.status !== 'running') return { id, status: next.status, is_waiting: false };
  const { status, stepKey, isWaiting, waitingEvent, dueAt, postponedBecause, goals } = next;
  const goalEvents = goals.map(({ eventName }) => eventName);
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
      goal_events: goalEvents,
      has_mail_goal: goalEvents.some((name) => name.startsWith('resend:')),
    }),
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
