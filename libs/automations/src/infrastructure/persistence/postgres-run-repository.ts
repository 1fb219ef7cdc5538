import { Page, pageOf, PageRequest } from '#kernel';
import { Database, keysetCondition, Row } from '#postgres/database';
import { Injectable } from '@nestjs/common';
import { RunRepository, RunWithSteps } from '../../application/ports/run-repository.port.js';
import { Graph, StoredGraph } from '../../domain/graph.js';
import { RunStatus, RunStep, RunSummary } from '../../domain/run.js';
import { runColumns, runOf, RunRow } from './run-statements.js';

@Injectable()
export class PostgresRunRepository extends RunRepository {
  constructor(private readonly database: Database) {
    super();
  }

  async list(automationId: string, statuses: readonly RunStatus[], page: PageRequest): Promise<Page<RunSummary>> {
    const { condition, order, values } = keysetCondition(page, 3);
    const rows = await this.database.query<Row<RunSummary>>({
      text: `SELECT id, status, created_at AS "createdAt", started_at AS "startedAt", completed_at AS "completedAt"
             FROM automation_runs WHERE automation_id = $1 AND (cardinality($2::text[]) = 0 OR status = ANY ($2))
             ${condition} ${order}`,
      values: [automationId, statuses, ...values],
    });
    return pageOf(page, rows);
  }

  async find(automationId: string, id: string): Promise<RunWithSteps | undefined> {
    const [[row], steps] = await Promise.all([
      this.database.query<RunRow & { graph: StoredGraph; postponedBecause: string | null; dueAt: Date | null }>({
        text: `SELECT ${runColumns}, r.due_at AS "dueAt", r.postponed_because AS "postponedBecause", v.graph
               FROM automation_runs r JOIN automation_versions v ON v.automation_id = r.automation_id AND v.version = r.version
               WHERE r.automation_id = $1 AND r.id = $2`,
        values: [automationId, id],
      }),
      this.database.query<Row<RunStep>>({
        text: `SELECT step_key AS key, type, status, output, error, started_at AS "startedAt", completed_at AS "completedAt"
               FROM automation_run_steps WHERE run_id = $1`,
        values: [id],
      }),
    ]);
    if (row === undefined) return undefined;
    const { graph, postponedBecause, dueAt, ...run } = row;
    // What a run waited for when it was cancelled never came.
    const begun = steps.map((step) =>
      run.status !== 'running' && step.status === 'waiting' ? { ...step, status: 'skipped' as const } : step,
    );
    return {
      ...runOf(run),
      graph: Graph.of(graph),
      postponedBecause,
      dueAt,
      begun: new Map(begun.map((step) => [step.key, step])),
    };
  }

  async cancel(automationId: string, id: string, now: Date): Promise<RunStatus | undefined> {
    const [row] = await this.database.query<{ status: RunStatus }>({
      text: `WITH known AS (SELECT id, status FROM automation_runs WHERE automation_id = $1 AND id = $2 FOR UPDATE), cancelled AS (
               UPDATE automation_runs r
               SET status = 'cancelled', step_key = NULL, due_at = NULL, waiting_event = NULL, completed_at = $3
               FROM known WHERE r.id = known.id AND known.status = 'running'
             )
             SELECT status FROM known`,
      values: [automationId, id, now],
    });
    return row?.status;
  }
}
