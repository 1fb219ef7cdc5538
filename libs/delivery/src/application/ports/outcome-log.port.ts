import { FinishedAttempt } from '../../domain/finished-attempt.js';

/** Makes the outcomes of attempts durable. */
export abstract class OutcomeLog {
  /** Resolves once the attempt and all its consequences are committed. Concurrent calls share transactions. */
  abstract record(attempt: FinishedAttempt): Promise<void>;
}
