import { Page, pageOf, PageRequest } from '#kernel';
import { Database, Row } from '#postgres/database';
import { Injectable } from '@nestjs/common';
import { RunFilter, RunRepository, RunWithSteps } from '../../application/ports/run-repository.port.js';
import { AutomationCounts, AutomationTotals, RunCounts } from '../../domain/counts.js';
import { Graph, StoredGraph } from '../../domain/graph.js';
import { RunStatus, RunStep, RunSummary } from '../../domain/run.js';
import { totalsOf, runCountsOf, StepCountRow, stepCountsFrom, stepCountsOf } from './count-statements.js';
import { listStatement } from './list-runs.js';
import { cancelOne, runColumns, runOf, RunRow } from './run-statements.js';

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

  async list(automationId: string, filter: RunFilter, page: PageRequest): Promise<Page<RunSummary>> {
    return pageOf(page, await this.database.query<Row<RunSummary>>(listStatement(automationId, filter, page)));
  }

  async totals(automationIds: readonly string[]): Promise<ReadonlyMap<string, AutomationTotals>> {
    const rows = await this.database.query<Row<AutomationTotals> & { id: string }>(totalsOf(automationIds));
    return new Map(rows.map(({ id, ...totals }) => [id, totals]));
  }

  async counts(automationId: string): Promise<AutomationCounts> {
    const [runs, steps] = await Promise.all([
      this.database.query<Row<RunCounts>>(runCountsOf(automationId)),
      this.database.query<StepCountRow>(stepCountsOf(automationId)),
    ]);
    const none = { started: 0, completed: 0, failed: 0, cancelled: 0, notEntered: 0, goals: 0 };
    return { runs: runs[0] ?? none, steps: new Map(steps.map((row) => [row.step_key, stepCountsFrom(row)])) };
  }

  async find(automationId: string, id: string): Promise<RunWithSteps | undefined> {
    // One statement, so that the run and its steps are of the same moment.
    const [row] = await this.database.query<FoundRun>({
      text: `SELECT ${runColumns}, r.contact_email AS "contactEmail", coalesce(r.due_at, (SELECT due_at FROM automation_calls WHERE run_id = r.id LIMIT 1)) AS "dueAt", r.postponed_because AS "postponedBecause", v.graph,
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

  cancel(automationId: string, id: string, now: Date): Promise<RunStatus | undefined> {
    return this.database.run(async (transaction) => {
      const [run] = await transaction.query<{ status: RunStatus }>({
        text: 'SELECT status FROM automation_runs WHERE automation_id = $1 AND id = $2 FOR UPDATE',
        values: [automationId, id],
      });
      if (run?.status === 'running') await transaction.query(cancelOne(automationId, id, now));
      return run?.status;
    });
  }
}
