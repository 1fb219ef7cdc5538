import type { Permission } from '#identity';
import { Transaction } from '#kernel';
import { Payload } from '../../domain/event-definition.js';
import { Graph } from '../../domain/graph.js';
import { Run } from '../../domain/run.js';
import { TriggerAction } from '../../domain/trigger.js';
import { EventOccurrence } from './event-repository.port.js';

/** The notification that wakes the workers: an event was sent. The payload is empty. */
export const automationsHaveWork = 'automations';

/** An event that waits. It is locked until the transaction ends. */
export interface TakenEvent extends EventOccurrence {
  /** Ascends in the order in which events are accepted: one that is sent once another is accepted has a greater one. */
  readonly position: number;
}

/** An event of a team, whoever it is for. */
export type EventName = Pick<EventOccurrence, 'teamId' | 'name'>;

/** A trigger of an enabled automation. */
export interface Listener {
  readonly teamId: string;
  readonly eventName: string;
  readonly automationId: string;
  readonly version: number;
  readonly triggerKey: string;
  /** Undefined: the graphs of events that come before it are as large as those of one slice may be. */
  readonly trigger: TriggerAction | undefined;
  /** As for `DueRun`. */
  readonly permissions: ReadonlySet<Permission> | null;
  /** What the event must be about. Null: nothing but its contact. */
  readonly subjectId: string | null;
  /** How long a contact is kept out after its last run. Infinity: for ever. */
  readonly keptOutMs: number;
}

export interface NewRun extends Listener {
  readonly id: string;
  readonly eventId: string;
  /** It sees the events behind this position. */
  readonly eventPosition: number;
  /** What it is counted on if an automation has caused its event. */
  readonly originId: string;
  readonly contactId: string;
  /** In lower case. */
  readonly contactEmail: string;
  readonly payload: Payload;
  readonly depth: number;
  /** Whether it follows from received mail. */
  readonly isAnswer: boolean;
  /** Why it has failed at once. Null: it begins. */
  readonly refusal: string | null;
}

/** A contact that enters an automation in which it must not be too often. */
export type Entry = Pick<NewRun, 'automationId' | 'contactId' | 'keptOutMs'>;

/** A run that has passed goals, and an event that may be one of them. It is locked until the transaction ends. */
export interface Aimer {
  readonly run: Pick<Run, 'id' | 'goals'>;
  /** Undefined: as the trigger of a listener. */
  readonly graph: Graph | undefined;
  readonly event: HeardEvent;
}

/** What a run has heard. */
export interface HeardEvent {
  readonly name: string;
  readonly payload: Payload;
  /** Undefined: it happened to an email. */
  readonly position?: number;
}

/** An event of a contact, for the runs that wait for it or will. */
export interface ContactEvent extends HeardEvent {
  readonly id: string;
  readonly teamId: string;
  readonly contactId: string;
  /** In lower case. */
  readonly contactEmail: string;
  readonly position: number;
  /** Runs that are looked at for it. One more that is read says that there are more. */
  readonly maxRuns: number;
}

/** What happened to an email that a run may have sent, under a name such as `resend:email.opened`. */
export interface EmailOfRunEvent {
  readonly emailId: string;
  readonly name: string;
  readonly payload: Payload;
}

/** What happened to an email of any team, to one of its recipients. */
export interface MailEvent extends EmailOfRunEvent {
  /** Number of the event within the email. */
  readonly seq: number;
  readonly recipientNo: number | null;
}

/** A run that waits for an event that has come. It is locked until the transaction ends. */
export interface Waiter {
  readonly run: Pick<Run, 'id' | 'stepKey'>;
  /** Undefined: as the trigger of a listener. */
  readonly graph: Graph | undefined;
  readonly event: HeardEvent;
}

/** Runs that may wait for an event in one of their steps: each is one that waits for it now, one with goals, both or neither. */
export interface ListeningRun extends Waiter, Aimer {
  readonly run: Waiter['run'] & Aimer['run'];
  readonly isWaiting: boolean;
}

/** Whether earlier events of the contact are still there: some that are dealt with next, or only some that are held back. */
export type Behind = 'due' | 'held';

/**
 * Stores the events that wait, the triggers that listen to them, and the runs that wait for them. Events that are taken
 * are locked until the transaction ends, in which all that follows from them is written: the lock ends with the process,
 * so that nothing is done twice or left out wherever a process dies.
 */
export abstract class EventQueue {
  /**
   * Locks events that are not held back, oldest first, and teams in turn where many wait. Events that others have locked
   * are skipped.
   */
  abstract takeEvents(limit: number, now: Date, transaction: Transaction): Promise<readonly TakenEvent[]>;

  /** The same for one event. Empty: it is gone, locked or held back. */
  abstract takeEvent(id: string, now: Date, transaction: Transaction): Promise<readonly TakenEvent[]>;

  /** An event that cannot be dealt with is not taken for a minute, then for two, and so on up to an hour. */
  abstract holdBack(id: string, now: Date): Promise<void>;

  abstract removeEvents(ids: readonly string[], transaction: Transaction): Promise<void>;

  /**
   * The triggers of enabled automations for the names of events, in the order of the teams of the events. They stay enabled
   * until the transaction ends.
   */
  abstract listeners(events: readonly EventName[], transaction: Transaction): Promise<readonly Listener[]>;

  /** Those of the events for which runs of their team may wait in some step. Most events start nothing, and nothing waits for them. */
  abstract awaited(events: readonly EventName[], transaction: Transaction): Promise<readonly EventName[]>;

  /**
   * The places of those entries that may enter now. They are noted down, so that the contact is kept out from now on. Of
   * several entries of a contact in an automation, the first one counts.
   */
  abstract enter(entries: readonly Entry[], now: Date, transaction: Transaction): Promise<ReadonlySet<number>>;

  /** Counts runs that automations have caused on what they follow from. Returns how many each origin had before. */
  abstract spend(caused: readonly NewRun[], now: Date, transaction: Transaction): Promise<ReadonlyMap<string, number>>;

  /**
   * An event starts each trigger once: runs that exist are left as they are. Counts the runs, and by automation the
   * contacts that were kept out.
   */
  abstract begin(
    runs: readonly NewRun[],
    notEntered: ReadonlyMap<string, number>,
    now: Date,
    transaction: Transaction,
  ): Promise<void>;

  /**
   * By id, the events behind others of their contact that have not been taken here. What these begin must be there before
   * the event looks for the runs that listen to it.
   */
  abstract behind(
    events: readonly ContactEvent[],
    taken: readonly TakenEvent[],
    now: Date,
    transaction: Transaction,
  ): Promise<ReadonlyMap<string, Behind>>;

  /**
   * Each unfinished run of the contact that may wait for one of the events, in the order of the events: at most `maxRuns` + 1
   * runs of an event. All of them are locked: a run that does not wait yet finds the event among those that are kept.
   */
  abstract listeningRuns(events: readonly ContactEvent[], transaction: Transaction): Promise<readonly ListeningRun[]>;

  /** Keeps the events to which unfinished runs listen that have not taken them, and those for which a run may begin late. */
  abstract keep(
    events: readonly (ContactEvent & { readonly beginsLate: boolean })[],
    now: Date,
    transaction: Transaction,
  ): Promise<void>;

  /** The runs that wait for what happens to an email that they have sent. */
  abstract waitersForEmails(events: readonly EmailOfRunEvent[], transaction: Transaction): Promise<readonly Waiter[]>;

  /**
   * Makes events of what has happened to emails where an automation of the team begins with it: of the first opening by
   * a person, of the first click on each link, and so on.
   */
  abstract hearMail(events: readonly MailEvent[], now: Date, transaction: Transaction): Promise<void>;

  /** Counts what became of emails of runs, each kind once for an email. */
  abstract countMail(events: readonly EmailOfRunEvent[], transaction: Transaction): Promise<void>;

  /** The runs with goals that are something that happens to an email that the run has sent. */
  abstract aimersForEmails(events: readonly EmailOfRunEvent[], transaction: Transaction): Promise<readonly Aimer[]>;

  /** Makes runs end that have reached a goal: the step, by the id of the run. */
  abstract reach(goals: ReadonlyMap<string, string>, now: Date, transaction: Transaction): Promise<void>;

  /** Makes runs go on with the events that they have waited for. */
  abstract wake(waiters: readonly Waiter[], now: Date, transaction: Transaction): Promise<void>;
}
