import { Page, PageRequest } from '#kernel';
import { Graph } from '../../domain/graph.js';
import { AutomationCounts, AutomationTotals } from '../../domain/counts.js';
import { ListedStepStatus, Run, RunStatus, RunStep, RunSummary } from '../../domain/run.js';

export interface RunWithSteps extends Run {
  readonly graph: Graph;
  readonly contactEmail: string;
  /** Why it waits although its next step is due; null if it does not. */
  readonly postponedBecause: string | null;
  readonly dueAt: Date | null;
  /** Those that have begun, by key. */
  readonly begun: ReadonlyMap<string, RunStep>;
}

/** Which runs are listed. What is absent is no condition. */
export interface RunFilter {
  readonly statuses?: readonly RunStatus[];
  readonly contactId?: string;
  /** The runs that have come to a step, and what became of it. */
  readonly step?: { readonly key: string; readonly status?: ListedStepStatus };
}

/** Reads and cancels the runs of automations, and reads their numbers. */
export abstract class RunRepository {
  /** Newest first. */
  abstract list(automationId: string, filter: RunFilter, page: PageRequest): Promise<Page<RunSummary>>;

  /** Of all versions. Steps that no run has come to are absent. */
  abstract counts(automationId: string): Promise<AutomationCounts>;

  /** Of each automation. Those without runs are left out. */
  abstract totals(automationIds: readonly string[]): Promise<ReadonlyMap<string, AutomationTotals>>;

  abstract find(automationId: string, id: string): Promise<RunWithSteps | undefined>;

  /** Returns the status that the run had. Only a running one changes. Undefined: there is no such run. */
  abstract cancel(automationId: string, id: string, now: Date): Promise<RunStatus | undefined>;
}
