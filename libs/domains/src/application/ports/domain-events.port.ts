import { Transaction } from '#kernel';
import { DomainEvent } from '../../domain/domain-event.js';

/** The outbox of what happened to domains. Whoever tells the customers reads it. */
export abstract class DomainEvents {
  abstract append(event: DomainEvent, transaction: Transaction): Promise<void>;
}
