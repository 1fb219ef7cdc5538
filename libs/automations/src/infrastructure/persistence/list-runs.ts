import { PageRequest } from '#kernel';
import { keysetCondition, Statement } from '#postgres/database';
import { RunFilter } from '../../application/ports/run-repository.port.js';
import { listedStepStatuses, runStatuses } from '../../domain/run.js';

const columns = `id, contact_id AS "contactId", contact_email AS "contactEmail", status, created_at AS "createdAt",
  started_at AS "startedAt", completed_at AS "completedAt"`;

/**
 * Reads a page of runs. One probe of an index for each status, so that few failed runs among a million others are found at
 * once.
 */
export function listStatement(automationId: string, filter: RunFilter, page: PageRequest): Statement {
  const { statuses = [], contactId, step } = filter;
  const wanted = statuses.length === 0 ? runStatuses : statuses;
  if (step !== undefined) {
    const { condition, order, values } = keysetCondition(page, 6);
    return {
      text: `SELECT r.* FROM unnest($3::text[]) AS w (status) CROSS JOIN LATERAL (
               SELECT ${columns} FROM (
                 SELECT r.*, s.step_status FROM (
                   SELECT run_id, status AS step_status FROM automation_run_steps
                   WHERE automation_id = $1 AND step_key = $2 AND automation_id IS NOT NULL
                 ) s JOIN automation_runs r ON r.id = s.run_id
               ) r
               WHERE step_status = w.status AND status = ANY ($4::text[]) AND ($5::uuid IS NULL OR contact_id = $5) ${condition} ${order}
             ) r ${order}`,
      values: [
        automationId,
        step.key,
        step.status === undefined ? listedStepStatuses : [step.status],
        wanted,
        contactId ?? null,
        ...values,
      ],
    };
  }
  if (contactId !== undefined) {
    const { condition, order, values } = keysetCondition(page, 4);
    return {
      text: `SELECT ${columns} FROM automation_runs
             WHERE automation_id = $1 AND contact_id = $2 AND status = ANY ($3::text[]) ${condition} ${order}`,
      values: [automationId, contactId, wanted, ...values],
    };
  }
  const { condition, order, values } = keysetCondition(page, 3);
  return {
    text: `SELECT r.* FROM unnest($2::text[]) AS s (status) CROSS JOIN LATERAL (
             SELECT ${columns} FROM automation_runs WHERE automation_id = $1 AND status = s.status ${condition} ${order}
           ) r ${order}`,
    values: [automationId, wanted, ...values],
  };
}
