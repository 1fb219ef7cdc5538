import { Page, PageRequest } from '#kernel';
import { AutomationStatus } from '../../domain/automation.js';
import { Payload } from '../../domain/event-definition.js';

/** A name under which events are sent. */
export interface SeenEvent {
  /** UUIDv7 of when it was seen first. */
  readonly id: string;
  readonly name: string;
  readonly count: number;
  readonly lastSeenAt: Date;
}

/** What was seen of a name since it was written down last. */
export interface NotedEvent {
  readonly teamId: string;
  readonly name: string;
  readonly count: number;
  readonly lastSeenAt: Date;
  readonly payloads: readonly NotedPayload[];
}

export interface NotedPayload {
  readonly id: string;
  readonly contactEmail: string;
  readonly payload: Payload;
  readonly createdAt: Date;
}

/** A step that begins with an event, or waits for it. */
export interface EventListener {
  readonly automationId: string;
  readonly name: string;
  readonly status: AutomationStatus;
  readonly stepKey: string;
  readonly stepType: string;
}

export type LastPayload = Pick<NotedPayload, 'payload' | 'createdAt'>;

/** Names that a team may have; the ones that were seen first go first. */
export const maxSeenNames = 1_000;
/** Payloads that are kept of a name. */
export const maxLastPayloads = 10;

/** Stores which custom events are sent, and finds who listens to them. */
export abstract class SeenEventRepository {
  abstract write(events: readonly NotedEvent[], now: Date): Promise<void>;

  /** The names that the team has not defined, the newest name first. */
  abstract undefined(teamId: string, page: PageRequest): Promise<Page<SeenEvent>>;

  abstract find(teamId: string, name: string): Promise<SeenEvent | undefined>;

  /** Newest first. */
  abstract payloads(teamId: string, name: string): Promise<readonly LastPayload[]>;

  /** At most `limit` for each name. */
  abstract listeners(
    teamId: string,
    names: readonly string[],
    limit: number,
  ): Promise<ReadonlyMap<string, readonly EventListener[]>>;
}
