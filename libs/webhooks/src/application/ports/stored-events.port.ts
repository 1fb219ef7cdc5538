import { StoredEvent } from '../../domain/payload.js';
import { EventSource } from '../../domain/webhook-message.js';

/** Reads the events that messages tell of. */
export abstract class StoredEvents {
  /** In the order asked; undefined for what is no longer stored. */
  abstract load(sources: readonly EventSource[]): Promise<readonly (StoredEvent | undefined)[]>;
}
