import { Page, PageRequest } from '#kernel';
import { Graph } from '../../domain/graph.js';
import { Run, RunStatus, RunStep, RunSummary } from '../../domain/run.js';

export interface RunWithSteps extends Run {
  readonly graph: Graph;
  readonly contactEmail: string;
  /** Why it waits although its next step is due; null if it does not. */
  readonly postponedBecause: string | null;
  readonly dueAt: Date | null;
  /** Those that have begun, by key. */
  readonly begun: ReadonlyMap<string, RunStep>;
}

/** Reads and cancels the runs of automations. */
export abstract class RunRepository {
  /** Newest first. Empty `statuses`: all. */
  abstract list(automationId: string, statuses: readonly RunStatus[], page: PageRequest): Promise<Page<RunSummary>>;

  abstract find(automationId: string, id: string): Promise<RunWithSteps | undefined>;

  /** Returns the status that the run had. Only a running one changes. Undefined: there is no such run. */
  abstract cancel(automationId: string, id: string, now: Date): Promise<RunStatus | undefined>;
}
