import { DomainError } from '#kernel';

/** A parser exceeded its deadline or memory limit, so the bytes cannot be read. `reason` is for logs and responses. */
export class UnreadableError extends Error {
  constructor(readonly reason: 'took too long' | 'took too much memory') {
    super(`Parsing ${reason}`);
  }
}

/** Too many inputs are waiting to be parsed, of this owner or in total. */
export class ParsingBusyError extends DomainError {
  constructor() {
    super('unavailable', 'service_unavailable', 'Too many messages are being read at once. Please try again later.');
  }
}
