import { passes } from '../domain/event-rules.js';
import { LoopTurn } from './loop-turn.js';
import { Aimer, Waiter } from './ports/event-queue.port.js';

/** The runs that go on with the first event that passes their filter, and those that have reached a goal: its step. */
export class MetRuns {
  readonly woken = new Map<string, Waiter>();
  readonly reached = new Map<string, string>();
  private readonly turn = new LoopTurn();

  /** @param maxComparisons that are made with the payload of an event */
  constructor(private readonly maxComparisons: number) {}

  async add(waiters: readonly Waiter[], aimers: readonly Aimer[]): Promise<void> {
    for (const waiter of waiters) {
      await this.turn.next();
      const { id, stepKey } = waiter.run;
      if (!this.woken.has(id) && this.isAwaitedBy(waiter, stepKey)) this.woken.set(id, waiter);
    }
    for (const aimer of aimers) {
      await this.turn.next();
      const goal = aimer.run.goals.find((stepKey) => this.isAwaitedBy(aimer, stepKey));
      if (goal !== undefined && !this.reached.has(aimer.run.id)) this.reached.set(aimer.run.id, goal);
    }
  }

  private isAwaitedBy({ graph, event }: Pick<Waiter, 'graph' | 'event'>, stepKey: string | null): boolean {
    const action = stepKey === null ? undefined : graph?.step(stepKey)?.action;
    if (action?.type !== 'wait_for_event' && action?.type !== 'goal') return false;
    return action.eventName === event.name && passes(action.rule, event.payload, this.maxComparisons);
  }
}
