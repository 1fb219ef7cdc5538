import { Page, PageRequest, Transaction } from '#kernel';
import { EventDefinition, EventSchema, Payload } from '../../domain/event-definition.js';

/** An event that was sent for a contact. */
export interface EventOccurrence {
  /** UUIDv7 */
  readonly id: string;
  readonly teamId: string;
  readonly name: string;
  /** One of the two is set. */
  readonly contactId: string | null;
  /** In lower case. */
  readonly email: string | null;
  readonly payload: Payload;
  /** Events that automations have sent one after the other until this one. 0: it is not from an automation. */
  readonly depth: number;
  /** The event from which it follows, through runs of automations. Null: it is from no automation, or is a change of its contact. */
  readonly originId: string | null;
  /** Whether it is received mail, or follows from it. Absent: it does not. */
  readonly isAnswer?: boolean;
  /** The segment, topic or route that the event of the service is about. Null: it is about none. */
  readonly subjectId: string | null;
}

/** Stores the custom events of all teams, and what was sent of them until it has started its runs. */
export abstract class EventRepository {
  /** `taken`: the team has an event with this name. `full`: it has as many as it may have. */
  abstract insert(definition: EventDefinition, max: number): Promise<'added' | 'taken' | 'full'>;

  /** By id, else by name, else by the name with other blanks. */
  abstract find(teamId: string, idOrName: string, spaced: string): Promise<EventDefinition | undefined>;

  /**
   * The schema of an event by its exact name. Null: any payload. Undefined: it is not defined. Few are read at once,
   * unless it is urgent because something is locked meanwhile.
   */
  abstract schemaOf(teamId: string, name: string, isUrgent?: boolean): Promise<EventSchema | null | undefined>;

  abstract list(teamId: string, page: PageRequest): Promise<Page<EventDefinition>>;

  abstract changeSchema(teamId: string, id: string, schema: EventSchema | null, now: Date): Promise<boolean>;

  abstract remove(teamId: string, id: string): Promise<boolean>;

  /**
   * Resolves once the event is durable. Workers are notified. Concurrent calls share a transaction. Rejects with
   * `NotFoundError` for a contact that the team does not have.
   */
  abstract send(occurrence: EventOccurrence): Promise<void>;

  /**
   * The same for up to {@link maxSentEvents} events of a team, which become durable together. Resolves with the first
   * position of a contact that the team does not have: then none of them is taken. Otherwise with undefined.
   */
  abstract sendBatch(occurrences: readonly EventOccurrence[]): Promise<number | undefined>;

  /** The same in a transaction of the caller. */
  abstract sendIn(occurrences: readonly EventOccurrence[], transaction: Transaction): Promise<void>;

  /** From now on, the events that changes of contacts cause in this transaction have this depth. */
  abstract causeAt(depth: number, transaction: Transaction): Promise<void>;
}
