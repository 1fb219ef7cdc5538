import { Page, pageOf, PageRequest } from '#kernel';
import { Database, keysetCondition, Row } from '#postgres/database';
import { Injectable } from '@nestjs/common';
import { RunRepository, RunWithSteps } from '../../application/ports/run-repository.port.js';
import { Graph, StoredGraph } from '../../domain/graph.js';
import { RunStatus, runStatuses, RunStep, RunSummary } from '../../domain/run.js';
import { runColumns, runOf, RunRow } from './run-statements.js';

type FoundRun = RunRow & {
  readonly graph: StoredGraph;
  readonly contactEmail: string;
  readonly postponedBecause: string | null;
  readonly dueAt: Date | null;
  /** Their times are texts. */
  readonly steps: readonly RunStep[] | null;
};

@Injectable()
export class PostgresRunRepository extends RunRepository {
  constructor(private readonly database: Database) {
    super();
  }

  async list(automationId: string, statuses: readonly RunStatus[], page: PageRequest): Promise<Page<RunSummary>> {
    const { condition, order, values } = keysetCondition(page, 3);
    // One probe of the index for each status, so that few failed runs among a million others are found at once.
    const rows = await this.database.query<Row<RunSummary>>({
      text: `SELECT r.* FROM unnest($2::text[]) AS s (status) CROSS JOIN LATERAL (
               SELECT id, contact_email AS "contactEmail", status, created_at AS "createdAt", started_at AS "startedAt", completed_at AS "completedAt"
               FROM automation_runs WHERE automation_id = $1 AND status = s.status ${condition} ${order}
             ) r ${order}`,
      values: [automationId, statuses.length === 0 ? runStatuses : statuses, ...values],
    });
    return pageOf(page, rows);
  }

  async find(automationId: string, id: string): Promise<RunWithSteps | undefined> {
    // One statement, so that the run and its steps are of the same moment.
    const [row] = await this.database.query<FoundRun>({
      text: `SELECT ${runColumns}, r.contact_email AS "contactEmail", r.due_at AS "dueAt", r.postponed_because AS "postponedBecause", v.graph,
                    (SELECT json_agg(json_build_object('key', step_key, 'type', type, 'status', status, 'output', output,
                       'error', error, 'startedAt', started_at, 'completedAt', completed_at))
                     FROM automation_run_steps WHERE run_id = r.id) AS steps
             FROM automation_runs r JOIN automation_versions v ON v.automation_id = r.automation_id AND v.version = r.version
             WHERE r.automation_id = $1 AND r.id = $2`,
      values: [automationId, id],
    });
    if (row === undefined) return undefined;
    const { graph, contactEmail, postponedBecause, dueAt, steps, ...run } = row;
    // What a run waited for when it was cancelled never came.
    const isLeft = ({ status }: RunStep): boolean => run.status !== 'running' && status === 'waiting';
    const begun = (steps ?? []).map((step) => ({
      ...step,
      ...(isLeft(step) && { status: 'skipped' as const }),
      startedAt: step.startedAt && new Date(step.startedAt),
      completedAt: step.completedAt && new Date(step.completedAt),
    }));
    return {
      ...runOf(run),
      graph: Graph.of(graph),
      contactEmail,
      postponedBecause,
      dueAt,
      begun: new Map(begun.map((step) => [step.key, step])),
    };
  }

  async cancel(automationId: string, id: string, now: Date): Promise<RunStatus | undefined> {
    const [row] = await this.database.query<{ status: RunStatus }>({
      text: `WITH known AS (SELECT id, status FROM automation_runs WHERE automation_id = $1 AND id = $2 FOR UPDATE), cancelled AS (
               UPDATE automation_runs r
               SET status = 'cancelled', step_key = NULL, due_at = NULL, waiting_event = NULL, goal_events = NULL, completed_at = $3
               FROM known WHERE r.id = known.id AND known.status = 'running'
             )
             SELECT status FROM known`,
      values: [automationId, id, now],
    });
    return row?.status;
  }
}
