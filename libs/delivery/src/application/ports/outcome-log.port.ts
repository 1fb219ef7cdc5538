import { FinishedAttempt } from '../../domain/finished-attempt.js';

/** Where the ends of attempts become durable. */
export abstract class OutcomeLog {
  /** Resolves once the attempt and everything that follows from it is committed. Concurrent calls share transactions. */
  abstract record(attempt: FinishedAttempt): Promise<void>;
}
