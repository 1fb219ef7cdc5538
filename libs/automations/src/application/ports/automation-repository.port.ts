import { Page, PageRequest, Transaction } from '#kernel';
import { Automation, AutomationStatus, AutomationWithGraph } from '../../domain/automation.js';

/** Triggers for which contacts are followed, which costs the service something for each contact of the team. */
export interface TriggerCounts {
  readonly dates: number;
  /** Different ones. */
  readonly segments: number;
}

/** In characters of JSON. */
export interface SizeOfGraphs {
  /** The present graphs of the other automations. */
  readonly others: number;
  /** All versions that are stored, each of them with 1 KB at least. */
  readonly withVersions: number;
}

/** Stores the automations of all teams, with the versions of their graphs and the triggers of those that are enabled. */
export abstract class AutomationRepository {
  /** What is counted of the team afterwards stays as it is until the transaction ends. */
  abstract lockTeam(teamId: string, transaction: Transaction): Promise<void>;

  /** Returns false if the team has as many as it may have. */
  abstract insert(automation: AutomationWithGraph, max: number, transaction: Transaction): Promise<boolean>;

  abstract find(teamId: string, id: string): Promise<AutomationWithGraph | undefined>;

  /** Newest first. */
  abstract list(teamId: string, page: PageRequest, status?: AutomationStatus): Promise<Page<Automation>>;

  /** The triggers of all enabled automations of a team but one. */
  abstract countTriggers(
    teamId: string,
    exceptId: string | undefined,
    transaction: Transaction,
  ): Promise<TriggerCounts>;

  /** Whether the team has a template, broadcast or route of this id. */
  abstract has(teamId: string, kind: 'template' | 'broadcast' | 'route', id: string): Promise<boolean>;

  /** What the graphs of a team take. `others` leaves out the automation of an id. */
  abstract charactersOfGraphs(
    teamId: string,
    exceptId: string | undefined,
    transaction: Transaction,
  ): Promise<SizeOfGraphs>;

  /** Locks the automation until the transaction ends. */
  abstract lock(teamId: string, id: string, transaction: Transaction): Promise<AutomationWithGraph | undefined>;

  /** Writes a locked automation. A version that is new is added; earlier ones stay as long as runs that began with them. */
  abstract update(automation: AutomationWithGraph, transaction: Transaction): Promise<void>;

  /**
   * Makes a locked automation `disabled` and cancels its runs: some at once, the others soon (`RunQueue.tidy`). None of
   * them does another step. With `isDeleted` it is gone for everybody else.
   */
  abstract stop(automation: Automation, now: Date, isDeleted: boolean, transaction: Transaction): Promise<void>;
}
