import { Payload } from '../domain/event-definition.js';
import { ConnectionType } from '../domain/graph.js';
import { RunStep, RunStepStatus } from '../domain/run.js';
import { HeardEvent } from './ports/event-queue.port.js';
import { AdvancedRun, DueRun, Goal, NewCall } from './ports/run-queue.port.js';

/** What a step has come to. `next` is the connection that leads on; undefined: the run ends or waits here. */
export interface Outcome {
  readonly status: Exclude<RunStepStatus, 'pending' | 'running'>;
  readonly output?: Payload;
  readonly error?: string;
  readonly emailId?: string;
  readonly next?: ConnectionType;
  /** The step waits until then. */
  readonly until?: Date;
  readonly waitingEvent?: string;
  /** The event that it waits for has come before. */
  readonly taken?: HeardEvent;
  /** It waits until the call has ended. */
  readonly call?: NewCall;
  /** The run has passed it, and ends with its event. */
  readonly goal?: Goal;
  /** The event of the goal has happened before. */
  readonly isReached?: boolean;
  /** It changed something, which the next step must see. */
  readonly hasEffect?: boolean;
  /** It is not done now, because of this. */
  readonly postponedBecause?: string;
}

/** A step as it is written down. */
export type StepDone = AdvancedRun['steps'][number];

type Nullable<Fields> = { [Name in keyof Fields]: Fields[Name] | null };

/** A run that does its next step later. */
export function rest(
  stepKey: string,
  { waitingEvent = null, taken = null, postponedBecause = null, until, call = null }: Partial<Nullable<Outcome>>,
  dueAt: Date | null,
  goals: readonly Goal[],
): AdvancedRun['next'] {
  const isWaiting = (until !== undefined || call !== null) && postponedBecause === null;
  return { status: 'running', stepKey, isWaiting, waitingEvent, taken, dueAt, call, postponedBecause, goals };
}

export function stepOf(
  { graph }: Pick<DueRun, 'graph'>,
  key: string,
  { status, output, error, emailId }: Outcome,
  now: Date,
): RunStep & { readonly emailId?: string } {
  const type = graph.step(key)?.stored.type ?? 'trigger';
  const completedAt = status === 'waiting' ? null : now;
  return { key, type, status, output: output ?? null, error: error ?? null, startedAt: now, completedAt, emailId };
}
