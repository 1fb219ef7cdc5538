import type { Actor } from '#identity';
import { Transaction } from '#kernel';
import { Payload } from '../../domain/event-definition.js';
import { Graph } from '../../domain/graph.js';
import { Run, RunStep } from '../../domain/run.js';
import { EventOccurrence } from './event-repository.port.js';

/** The notification that wakes the workers: an event was sent. The payload is empty. */
export const automationsHaveWork = 'automations';

/** An event of a team, whoever it is for. */
export type EventName = Pick<EventOccurrence, 'teamId' | 'name'>;

/** An enabled automation that begins with an event. */
export interface Listener {
  readonly teamId: string;
  readonly eventName: string;
  readonly automationId: string;
  readonly version: number;
  readonly triggerKey: string;
}

export interface NewRun extends Listener {
  readonly id: string;
  readonly eventId: string;
  readonly contactId: string;
  /** In lower case. */
  readonly contactEmail: string;
  readonly payload: Payload;
}

/** An event of a contact, for the runs that wait for it. */
export interface ContactEvent {
  readonly teamId: string;
  readonly contactId: string;
  readonly name: string;
  readonly payload: Payload;
}

/** What happened to an email that a run may have sent, under a name such as `resend:email.opened`. */
export interface EmailOfRunEvent {
  readonly emailId: string;
  readonly name: string;
  readonly payload: Payload;
}

/** A run that waits for an event that has come. It is locked until the transaction ends. */
export interface Waiter {
  readonly run: Pick<Run, 'id' | 'stepKey'>;
  readonly graph: Graph;
  readonly event: Pick<ContactEvent, 'name' | 'payload'>;
}

/** A run whose next step is due. It is locked until the transaction ends. */
export interface DueRun {
  readonly run: Run;
  readonly graph: Graph;
  /** The automation was stopped or deleted since it began. */
  readonly isStopped: boolean;
  /** In whose name its emails are sent. */
  readonly actor: Actor;
}

/** What became of a run in a slice. */
export interface AdvancedRun {
  readonly run: Run;
  readonly steps: readonly (RunStep & { readonly emailId?: string })[];
  readonly next: RunEnd | RunRest;
}

/** Any other step is done later. */
export interface RunRest {
  readonly status: 'running';
  readonly stepKey: string;
  /** The step has begun, and waits. */
  readonly isWaiting: boolean;
  readonly waitingEvent: string | null;
  readonly dueAt: Date;
  /** What keeps the step from being done, although it is due. */
  readonly postponedBecause: string | null;
}

export interface RunEnd {
  readonly status: 'completed' | 'failed' | 'cancelled';
}

/**
 * Stores how far the runs of all teams have come, and the events that start them. What is taken or claimed is locked
 * until the transaction ends, in which its outcome is written: the lock ends with the process, so that nothing is done
 * twice or left out wherever a process dies.
 */
export abstract class RunQueue {
  /** Locks events, oldest first, and teams in turn where many wait. Events that others have locked are skipped. */
  abstract takeEvents(limit: number, transaction: Transaction): Promise<readonly EventOccurrence[]>;

  abstract removeEvents(ids: readonly string[], transaction: Transaction): Promise<void>;

  /** The triggers of enabled automations for the names of events. They stay enabled until the transaction ends. */
  abstract listeners(events: readonly EventName[], transaction: Transaction): Promise<readonly Listener[]>;

  /** Those of the events for which some run of their team waits. Most events start nothing, and nothing waits for them. */
  abstract awaited(events: readonly EventName[], transaction: Transaction): Promise<readonly EventName[]>;

  /** An event starts each trigger once: runs that exist are left as they are. */
  abstract begin(runs: readonly NewRun[], now: Date, transaction: Transaction): Promise<void>;

  /** Each run that waits for one of the events, with each event that it waits for, in the order of the events. */
  abstract waiters(events: readonly ContactEvent[], transaction: Transaction): Promise<readonly Waiter[]>;

  /** The same for runs that wait for what happens to an email that they have sent. */
  abstract waitersForEmails(events: readonly EmailOfRunEvent[], transaction: Transaction): Promise<readonly Waiter[]>;

  /** Whether something has happened already to an email that the run has sent. What machines open does not count. */
  abstract happened(runId: string, name: string, transaction: Transaction): Promise<boolean>;

  /** Makes runs go on with the events that they have waited for. */
  abstract wake(waiters: readonly Waiter[], now: Date, transaction: Transaction): Promise<void>;

  /**
   * Locks runs that are due, at most `limit`, teams in turn. Runs that others have locked are skipped. With `onlyId` it
   * locks this one if it is due.
   */
  abstract claim(now: Date, limit: number, transaction: Transaction, onlyId?: string): Promise<readonly DueRun[]>;

  /** Writes what became of claimed runs. Sends its statements before it waits for any of them. */
  abstract record(advanced: readonly AdvancedRun[], now: Date, transaction: Transaction): Promise<void>;

  /** Counts something unexpected, and tries again at a time. Returns how often it happened since the last step. */
  abstract trouble(runId: string, dueAt: Date): Promise<number>;

  /** Cancels some runs of stopped automations, and removes deleted automations without runs. Returns whether it did. */
  abstract tidy(): Promise<boolean>;
}
