import { DomainError } from '#kernel';

/** A parser ran into its deadline or its memory: these bytes cannot be read here. `reason` is for logs and answers. */
export class UnreadableError extends Error {
  constructor(readonly reason: 'took too long' | 'took too much memory') {
    super(`Parsing ${reason}`);
  }
}

/** Too much is waiting to be parsed, for this owner or altogether. */
export class ParsingBusyError extends DomainError {
  constructor() {
    super('unavailable', 'service_unavailable', 'Too many messages are being read at once. Please try again later.');
  }
}
