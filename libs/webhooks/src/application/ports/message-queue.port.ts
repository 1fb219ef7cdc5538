import { StoredEvent } from '../../domain/payload.js';
import { DueMessage, EventSource } from '../../domain/webhook-message.js';
import { CalledEndpoint } from './webhook-calls.port.js';

/** What the worker that has the lane needs to know about the endpoint. */
export interface LaneEndpoint extends CalledEndpoint {
  /** If set, the endpoint is down: from this time on one message at a time may be sent. */
  readonly probeAt: Date | null;
}

export interface LaneWork {
  readonly endpoint: LaneEndpoint;
  /** Earliest due time first. */
  readonly due: readonly DueMessage[];
}

export interface WebhookLanesWithWork {
  readonly webhookIds: readonly string[];
  /** The last endpoint examined; undefined if there are none after it. */
  readonly last: string | undefined;
}

/**
 * The messages that are still to be sent, and which worker has the lane of each endpoint.
 *
 * A worker has a lane as a lease of some seconds. It reads due messages without marking them, so a worker that dies leaves
 * nothing to clean up, and the next worker sends every message without a result. A message may therefore be sent
 * twice, under the same id.
 */
export abstract class MessageQueue {
  /** Resolves to false if another worker has the lane. */
  abstract acquireLane(webhookId: string, workerId: string): Promise<boolean>;

  /** Renews the leases of all lanes of the worker. The caller repeats it well before they expire. */
  abstract renewLanes(workerId: string): Promise<void>;

  abstract releaseLane(webhookId: string, workerId: string): Promise<void>;

  /**
   * At most `limit` due messages, without those in `except`. If the endpoint is down: one message if a probe is due, none
   * otherwise. Undefined if the worker does not have the lane, or if the endpoint is disabled or removed.
   */
  abstract work(
    webhookId: string,
    workerId: string,
    now: Date,
    except: readonly string[],
    limit: number,
  ): Promise<LaneWork | undefined>;

  /**
   * Examines the next `limit` endpoints after the one named that have waiting messages. Returns those that have a due
   * message, may be called, and whose lane no other worker has.
   */
  abstract lanesWithWork(
    workerId: string,
    now: Date,
    after: string | undefined,
    limit: number,
  ): Promise<WebhookLanesWithWork>;

  /**
   * Deletes one bounded batch of expired messages, and of messages whose endpoint was removed. Resolves to their
   * number.
   */
  abstract deleteExpired(now: Date): Promise<number>;
}

/** The topic of wake-ups. The triggers that make messages send to it as well. The payload is the id of a webhook. */
export const webhookWork = 'webhook-work';

/** An event that is too large to be held until its call begins. */
export interface LargeEvent {
  readonly kind: 'large';
  readonly bytes: number;
}

/** Reads the events that messages report. */
export abstract class StoredEvents {
  /** In the order of `sources`; undefined for an event that is no longer stored. */
  abstract load(sources: readonly EventSource[]): Promise<readonly (StoredEvent | undefined)[]>;

  /** The same, without the data of large events. */
  abstract loadSmall(sources: readonly EventSource[]): Promise<readonly (StoredEvent | LargeEvent | undefined)[]>;
}
