import { SeenByRun } from './run-fields.js';
import { StepType } from './step.js';

export const runStatuses = ['running', 'completed', 'failed', 'cancelled'] as const;
export type RunStatus = (typeof runStatuses)[number];

export const runStepStatuses = ['pending', 'running', 'waiting', 'completed', 'failed', 'skipped'] as const;
export type RunStepStatus = (typeof runStepStatuses)[number];

/** The statuses of a step by which runs are found. */
export const listedStepStatuses = ['waiting', 'completed', 'failed', 'skipped'] as const;
export type ListedStepStatus = (typeof listedStepStatuses)[number];

/** One way of one contact through an automation. */
export interface Run extends SeenByRun {
  readonly id: string;
  readonly teamId: string;
  readonly automationId: string;
  readonly version: number;
  readonly triggerKey: string;
  readonly contactId: string;
  readonly status: RunStatus;
  /** The step that comes next, or that waits. Null: the run has ended. */
  readonly stepKey: string | null;
  /** Whether the step has begun, and waits until its time or for an event. */
  readonly isWaiting: boolean;
  /** Whether the step has been postponed, because of a limit or for lack of room. */
  readonly isPostponed: boolean;
  /** Whether the event that a step has waited for has come. */
  readonly hasEvent: boolean;
  /** How many events automations have sent one after the other before it began. */
  readonly depth: number;
  /** The event from which it follows: its own, or the first one behind it. On this all that follows is counted. */
  readonly originId: string;
  /** Whether it follows from received mail, so that its emails are answers. */
  readonly isAnswer: boolean;
  /** The goals that it has passed and not reached, by the keys of their steps. */
  readonly goals: readonly string[];
  /** The goal that has been reached. Null: none. */
  readonly reachedGoal: string | null;
  /** How the call of the step that waits has ended. */
  readonly call: EndedCall | null;
  /** How often something unexpected kept the next step from being done. */
  readonly troubles: number;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly completedAt: Date | null;
}

/** How the calls of a step have ended. Its answer is among those of the run. */
export interface EndedCall {
  /** HTTP status of the last one; 0 if there was no answer. */
  readonly status: number;
  readonly attempts: number;
  /** Why it was not successful. */
  readonly error: string | null;
  readonly answer: unknown;
}

export interface RunSummary {
  readonly id: string;
  readonly contactId: string;
  /** Address of the contact when the run began. */
  readonly contactEmail: string;
  readonly status: RunStatus;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly completedAt: Date | null;
}

/** What became of a step of a run. */
export interface RunStep {
  readonly key: string;
  readonly type: StepType;
  readonly status: RunStepStatus;
  readonly output: Readonly<Record<string, unknown>> | null;
  readonly error: string | null;
  /** Null for a step that has not begun. */
  readonly startedAt: Date | null;
  readonly completedAt: Date | null;
}

/** Whether a run waits in a step, or has passed it as a goal that it has not reached: then something was noted of it. */
export function isNoted({ goals, isWaiting, isPostponed, stepKey }: Run, key: string): boolean {
  return goals.includes(key) || ((isWaiting || isPostponed) && stepKey === key);
}
