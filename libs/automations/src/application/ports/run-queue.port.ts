import type { Actor, Permission } from '#identity';
import { Transaction } from '#kernel';
import { Payload } from '../../domain/event-definition.js';
import { ConnectionType, Graph } from '../../domain/graph.js';
import { Run, RunStep } from '../../domain/run.js';
import { AutomationSettings } from '../../domain/settings.js';
import { HeardEvent } from './event-queue.port.js';

/** The emails that a contact has got from automations on a day of its zone. */
export interface EmailsOfDay {
  readonly contactId: string;
  readonly day: string;
  readonly emails: number;
}

/** An author whom an automation may answer. */
export interface AnswerKey {
  readonly teamId: string;
  readonly automationId: string;
  /** Address of the author, in the form in which all addresses of a mailbox are the same. */
  readonly author: string;
}

/** The last answer that an author has got from an automation. */
export interface Answer extends AnswerKey {
  /** The run that has answered. Null: none has. */
  readonly runId: string | null;
  readonly answeredAt: Date;
}

export function keyOfAnswer({ automationId, author }: Omit<AnswerKey, 'teamId'>): string {
  return `${automationId} ${author}`;
}

/** A change of a contact by a run, with the depth of the events that follow from it. */
export interface CausedChange {
  readonly teamId: string;
  readonly contactId: string;
  readonly depth: number;
}

/** A run whose next step is due. It is locked until the transaction ends. */
export interface DueRun {
  readonly run: Run;
  readonly graph: Graph;
  /** The automation was stopped or deleted since it began. */
  readonly isStopped: boolean;
  /** In whose name its emails are sent. */
  readonly actor: Actor;
  /** What its author may do now. Null: everything. */
  readonly permissions: ReadonlySet<Permission> | null;
  readonly settings: AutomationSettings;
  /** Whether some automation of the team limits the emails of a day. Then all of them are counted. */
  readonly isCounted: boolean;
  /** The time of its wait is over, and events that were accepted before have not been dealt with. */
  readonly isEarly: boolean;
}

/** What became of a run in a slice. */
export interface AdvancedRun {
  readonly run: Run;
  readonly steps: readonly (RunStep & { readonly emailId?: string })[];
  /** The connections along which it went on. */
  readonly passed: readonly Passage[];
  readonly next: RunEnd | RunRest;
}

export interface Passage {
  readonly from: string;
  readonly type: ConnectionType;
}

/** Any other step is done later. */
export interface RunRest {
  readonly status: 'running';
  readonly stepKey: string;
  /** The step has begun, and waits. */
  readonly isWaiting: boolean;
  readonly waitingEvent: string | null;
  /** The event that it waits for has come before: it goes on with it at once. */
  readonly taken: HeardEvent | null;
  /** Null: until its call has ended. */
  readonly dueAt: Date | null;
  readonly call: NewCall | null;
  /** What keeps the step from being done, although it is due. */
  readonly postponedBecause: string | null;
  /** The goals that it has passed, by the keys of their steps. */
  readonly goals: readonly Goal[];
}

/** A call that is made after the commit, and that the run waits for. */
export interface NewCall {
  readonly id: string;
  readonly url: string;
  readonly body: Payload;
}

/** An event with which a run ends that has passed the step. */
export interface Goal {
  readonly stepKey: string;
  readonly eventName: string;
}

export interface RunEnd {
  readonly status: 'completed' | 'failed' | 'cancelled';
  /** Whether it ended because it has reached a goal. */
  readonly isGoal?: boolean;
}

/**
 * Stores how far the runs of all teams have come. What is claimed is locked until the transaction ends, in which its
 * outcome is written: the lock ends with the process, so that nothing is done twice or left out wherever a process dies.
 */
export abstract class RunQueue {
  /** The payloads of what has happened already to emails that the run has sent. What machines open does not count. */
  abstract happened(runId: string, name: string, transaction: Transaction): Promise<readonly Payload[]>;

  /** By contact, the names of events that are kept for the unfinished runs of these contacts. */
  abstract keptNames(due: readonly DueRun[], transaction: Transaction): Promise<ReadonlyMap<string, readonly string[]>>;

  /** The events with this name that came after the one that began the run, or after the one that its last wait took. */
  abstract kept(runId: string, name: string, transaction: Transaction): Promise<readonly HeardEvent[]>;

  /** Those of the origins and teams of the runs whose automations have caused as many runs as they may. */
  abstract spent(due: readonly DueRun[], now: Date, transaction: Transaction): Promise<ReadonlySet<string>>;

  /**
   * Locks runs that are due, at most `limit`, teams in turn. Runs that others have locked are skipped. With `onlyId` it
   * locks this one if it is due.
   */
  abstract claim(now: Date, limit: number, transaction: Transaction, onlyId?: string): Promise<readonly DueRun[]>;

  /** Reads how many emails contacts have got on a day, and locks the numbers until the transaction ends. */
  abstract lockEmailCounts(
    days: readonly Omit<EmailsOfDay, 'emails'>[],
    transaction: Transaction,
  ): Promise<readonly EmailsOfDay[]>;

  /** Writes the numbers down, in the transaction that has locked them. Does not wait for the statement. */
  abstract writeEmailCounts(days: readonly EmailsOfDay[], transaction: Transaction): Promise<void>;

  /** Reads the last answers to authors, and locks them until the transaction ends. Where there is none, it was at `since`. */
  abstract lockAnswers(asked: readonly AnswerKey[], since: Date, transaction: Transaction): Promise<readonly Answer[]>;

  /** Writes answers down, in the transaction that has locked them. Does not wait for the statement. */
  abstract writeAnswers(answers: readonly Answer[], transaction: Transaction): Promise<void>;

  /**
   * Notes that runs have changed contacts, where the team watches segments with filters: who enters one of them then
   * enters it because of the run. Does not wait for the statement.
   */
  abstract noteChanges(changes: readonly CausedChange[], now: Date, transaction: Transaction): Promise<void>;

  /** Writes what became of claimed runs, and counts it. Sends its statements before it waits for any of them. */
  abstract record(advanced: readonly AdvancedRun[], now: Date, transaction: Transaction): Promise<void>;

  /** Counts something unexpected, and tries again at a time. Returns how often it happened since the last step. */
  abstract trouble(runId: string, dueAt: Date): Promise<number>;

  /** Cancels some runs of stopped automations, and removes deleted automations without runs. Returns whether it did. */
  abstract tidy(): Promise<boolean>;
}
