import { StoredEvent } from '../../domain/payload.js';
import { EventSource } from '../../domain/webhook-message.js';

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
