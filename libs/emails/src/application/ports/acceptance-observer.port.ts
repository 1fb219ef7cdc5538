import { AcceptedEmail } from '../../domain/accepted-email.js';

/** Counts and traces accepted emails. */
export abstract class AcceptanceObserver {
  /** A request was accepted or was a repetition. */
  abstract completed(durationMs: number): void;

  /** To be called in the context of the request, which the trace is linked with. */
  abstract accepted(emails: readonly AcceptedEmail[]): void;

  /** A transaction with this number of requests has been committed. */
  abstract committed(requests: number, emails: readonly AcceptedEmail[]): void;
}
