import { StoredEvent } from '../../domain/payload.js';
import { EventSource } from '../../domain/webhook-message.js';

/** Reads the events that messages report. */
export abstract class StoredEvents {
  /** In the order of `sources`; undefined for an event that is no longer stored. */
  abstract load(sources: readonly EventSource[]): Promise<readonly (StoredEvent | undefined)[]>;
}
