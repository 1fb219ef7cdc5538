import { ConnectionType } from '../domain/graph.js';
import { isNoted } from '../domain/run.js';
import { AdvancedRun } from './ports/run-queue.port.js';

/** What is added to the numbers of a step. */
export interface StepTally {
  readonly automationId: string;
  readonly stepKey: string;
  entered: number;
  /** Runs that wait in it now. */
  waiting: number;
  completed: number;
  failed: number;
  skipped: number;
  sent: number;
  readonly passed: Partial<Record<ConnectionType, number>>;
}

/** What is added to the numbers of an automation. */
export interface RunTally {
  readonly automationId: string;
  started: number;
  completed: number;
  failed: number;
  cancelled: number;
  notEntered: number;
  goals: number;
}

/** What is added to the numbers of automations, by what became of runs. */
export class Tally {
  private readonly ofSteps = new Map<string, StepTally>();
  private readonly ofRuns = new Map<string, RunTally>();

  /** In one order, so that two writers never wait for each other. */
  get steps(): readonly StepTally[] {
    return inOrder(this.ofSteps);
  }

  get runs(): readonly RunTally[] {
    return inOrder(this.ofRuns);
  }

  static of(advanced: readonly AdvancedRun[]): Tally {
    const tally = new Tally();
    for (const one of advanced) tally.add(one);
    return tally;
  }

  run(automationId: string): RunTally {
    const known = this.ofRuns.get(automationId);
    if (known !== undefined) return known;
    const added = { automationId, started: 0, completed: 0, failed: 0, cancelled: 0, notEntered: 0, goals: 0 };
    this.ofRuns.set(automationId, added);
    return added;
  }

  step(automationId: string, stepKey: string): StepTally {
    const key = `${automationId} ${stepKey}`;
    const known = this.ofSteps.get(key);
    if (known !== undefined) return known;
    const added = {
      automationId,
      stepKey,
      entered: 0,
      waiting: 0,
      completed: 0,
      failed: 0,
      skipped: 0,
      sent: 0,
      passed: {},
    };
    this.ofSteps.set(key, added);
    return added;
  }

  private add({ run, steps, passed, next }: AdvancedRun): void {
    const { automationId } = run;
    for (const { key, status, emailId } of steps) {
      const step = this.step(automationId, key);
      const wasWaiting = isNoted(run, key);
      if (!wasWaiting) step.entered++;
      if (status === 'waiting') {
        if (!wasWaiting) step.waiting++;
        continue;
      }
      if (wasWaiting) step.waiting--;
      if (status === 'completed' || status === 'failed' || status === 'skipped') step[status]++;
      if (emailId !== undefined) step.sent++;
    }
    for (const { from, type } of passed) {
      const step = this.step(automationId, from);
      step.passed[type] = (step.passed[type] ?? 0) + 1;
    }
    if (next.status === 'running') return;
    this.run(automationId)[next.status]++;
    if (next.isGoal === true) this.run(automationId).goals++;
  }
}

function inOrder<Value>(tallies: ReadonlyMap<string, Value>): readonly Value[] {
  return [...tallies].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, value]) => value);
}
