import type { Principal } from '#identity';
import { Clock, DomainError, found, newId, NotFoundError, Page, PageRequest, Transaction, UnitOfWork } from '#kernel';
import { Injectable } from '@nestjs/common';
import { Automation, AutomationStatus, AutomationWithGraph, copyName, maxAutomations } from '../domain/automation.js';
import { AutomationCounts, AutomationTotals } from '../domain/counts.js';
import { Graph } from '../domain/graph.js';
import { requireSteps } from '../domain/permissions.js';
import { RunStatus, RunStep, RunSummary } from '../domain/run.js';
import { AutomationSettings } from '../domain/settings.js';
import { CheckAutomation } from './check-automation.js';
import { AutomationRepository } from './ports/automation-repository.port.js';
import { RunFilter, RunRepository, RunWithSteps } from './ports/run-repository.port.js';

export interface NewAutomation {
  readonly name: string;
  readonly status: AutomationStatus;
  readonly graph: Graph;
  readonly settings: AutomationSettings;
}

export class TooManyAutomationsError extends DomainError {
  constructor() {
    super('invalid', 'validation_error', `A team may have at most ${maxAutomations} automations.`);
  }
}

export class EndedRunError extends DomainError {
  constructor(status: RunStatus) {
    super('invalid', 'validation_error', `The run is ${status}: only a running one can be cancelled.`);
  }
}

export interface AutomationMetrics {
  readonly graph: Graph;
  readonly counts: AutomationCounts;
  readonly at: Date;
}

/** A run with all of the steps that it may come to. */
export interface RunInFull extends Omit<RunWithSteps, 'begun'> {
  /** In the order of the graph. */
  readonly steps: readonly RunStep[];
}

/** The automations of a team, and their runs: adds, changes, stops and removes them, and tells how far runs have come. */
@Injectable()
export class Automations {
  constructor(
    private readonly automations: AutomationRepository,
    private readonly runs: RunRepository,
    private readonly check: CheckAutomation,
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  async add(principal: Principal, requested: NewAutomation): Promise<string> {
    principal.require('automations:write');
    await this.check.checkReferences(principal.teamId, requested.graph);
    return this.insert(principal, requested);
  }

  list(teamId: string, page: PageRequest, status?: AutomationStatus): Promise<Page<Automation>> {
    return this.automations.list(teamId, page, status);
  }

  totals(automations: readonly Automation[]): Promise<ReadonlyMap<string, AutomationTotals>> {
    return this.runs.totals(automations.map(({ id }) => id));
  }

  async find(teamId: string, id: string): Promise<AutomationWithGraph> {
    return found('Automation', await this.automations.find(teamId, id));
  }

  /**
   * Another graph makes a new version: runs that have begun keep theirs. `disabled` lets them finish. Who changes the graph
   * or enables it is its author from then on.
   */
  async change(principal: Principal, id: string, changes: Partial<NewAutomation>): Promise<void> {
    principal.require('automations:write');
    const { teamId, actor } = principal;
    const takesOver = changes.graph !== undefined || changes.status === 'enabled';
    if (changes.graph !== undefined) await this.check.checkReferences(teamId, changes.graph);
    // Again, if somebody else has changed meanwhile what was checked.
    for (let isDone = false; !isDone;) {
      const checked = await this.find(teamId, id);
      if (takesOver) requireSteps(changes.graph ?? checked.graph, (permission) => principal.may(permission));
      await this.check.check(teamId, { ...checked, ...changes });
      await this.rewrite(teamId, id, async (known, transaction) => {
        isDone = known.version === checked.version && known.status === checked.status;
        if (!isDone) return;
        await this.automations.lockTeam(teamId, transaction);
        if (changes.graph !== undefined) await this.check.checkSize(teamId, changes.graph, known, transaction);
        await this.check.checkCounts(teamId, { ...known, ...changes }, id, transaction);
        await this.automations.update(
          {
            ...known,
            ...changes,
            actor: changes.graph === undefined && changes.status === undefined ? known.actor : actor,
            authority: takesOver ? principal.authority() : known.authority,
            version: changes.graph === undefined ? known.version : known.version + 1,
            updatedAt: this.clock.now(),
          },
          transaction,
        );
      });
    }
  }

  /** A disabled copy, also of what names things that are gone. Returns its id. */
  async duplicate(principal: Principal, id: string): Promise<string> {
    principal.require('automations:write');
    const { name, graph, settings } = await this.find(principal.teamId, id);
    return this.insert(principal, { name: copyName(name), status: 'disabled', graph, settings });
  }

  /** Disables it and cancels its runs. */
  stop(principal: Principal, id: string): Promise<void> {
    return this.end(principal, id, false);
  }

  /** Cancels its runs, too. */
  remove(principal: Principal, id: string): Promise<void> {
    return this.end(principal, id, true);
  }

  async listRuns(teamId: string, id: string, filter: RunFilter, page: PageRequest): Promise<Page<RunSummary>> {
    await this.find(teamId, id);
    return this.runs.list(id, filter, page);
  }

  /** The numbers of an automation, with those of the steps that it has now. */
  async metrics(teamId: string, id: string): Promise<AutomationMetrics> {
    const { graph } = await this.find(teamId, id);
    return { graph, counts: await this.runs.counts(id), at: this.clock.now() };
  }

  async findRun(teamId: string, id: string, runId: string): Promise<RunInFull> {
    await this.find(teamId, id);
    const { begun, ...run } = found('Automation run', await this.runs.find(id, runId));
    const { graph } = run;
    const steps = graph.orderFrom(run.triggerKey).map((key): RunStep => {
      const type = graph.step(key)?.stored.type ?? 'trigger';
      return (
        begun.get(key) ?? {
          key,
          type,
          status: 'pending',
          output: null,
          error: null,
          startedAt: null,
          completedAt: null,
        }
      );
    });
    return { ...run, steps };
  }

  /** A run that was cancelled before stays as it is. Throws for one that has ended in another way. */
  async cancelRun(principal: Principal, id: string, runId: string): Promise<void> {
    principal.require('automations:write');
    await this.find(principal.teamId, id);
    const status = found('Automation run', await this.runs.cancel(id, runId, this.clock.now()));
    if (status === 'completed' || status === 'failed') {
      throw new EndedRunError(status);
    }
  }

  private async insert(principal: Principal, requested: NewAutomation): Promise<string> {
    const { teamId, actor } = principal;
    requireSteps(requested.graph, (permission) => principal.may(permission));
    await this.check.check(teamId, requested);
    const now = this.clock.now();
    const automation = {
      ...requested,
      id: newId(now.getTime()),
      teamId,
      version: 1,
      actor,
      authority: principal.authority(),
      createdAt: now,
      updatedAt: null,
    };
    await this.work.run(async (transaction) => {
      await this.automations.lockTeam(teamId, transaction);
      await this.check.checkSize(teamId, requested.graph, undefined, transaction);
      await this.check.checkCounts(teamId, requested, undefined, transaction);
      const isAdded = await this.automations.insert(automation, maxAutomations, transaction);
      if (!isAdded) throw new TooManyAutomationsError();
    });
    return automation.id;
  }

  private async end(principal: Principal, id: string, isDeleted: boolean): Promise<void> {
    principal.require('automations:write');
    await this.rewrite(principal.teamId, id, (known, transaction) =>
      this.automations.stop(known, this.clock.now(), isDeleted, transaction),
    );
  }

  private async rewrite(
    teamId: string,
    id: string,
    write: (known: AutomationWithGraph, transaction: Transaction) => Promise<void>,
  ): Promise<void> {
    await this.work.run(async (transaction) => {
      const known = await this.automations.lock(teamId, id, transaction);
      if (known === undefined) throw new NotFoundError('Automation');
      await write(known, transaction);
    });
  }
}
