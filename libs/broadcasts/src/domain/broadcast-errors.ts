import { DomainError } from '#kernel';

/** The state of the broadcast does not allow what was asked. */
export class BroadcastStateError extends DomainError {
  constructor(message: string) {
    super('forbidden', 'validation_error', message);
  }
}
