import type { ConnectionBudget } from './connection-budget.js';
import type { RateLimit } from './rate-limit.js';
import type { SmtpFailure } from './smtp-failure.js';
import type { SmtpHostOptions } from './smtp-options.js';
import type { SmtpSession } from './smtp-session.js';

export interface SmtpPoolOptions extends SmtpHostOptions {
  /** The most connections at a time. Default 2. */
  readonly connections?: number;
  /** Shared with other pools, in place of `connections`. */
  readonly budget?: ConnectionBudget;
  /** Shared with other pools. Default: no limit. */
  readonly rate?: RateLimit;
  /** Messages after which a connection is replaced. Default: no limit. */
  readonly messagesPerConnection?: number;
  /** Milliseconds before connecting again after a failure; doubles with each one in a row, at most 16 times. */
  readonly backOff?: number;
  /**
   * Opens a session where there is more to it than one host: several to choose from. Default: the host of the options.
   * Rejects with `NotAttemptedError` where none may be opened now: what no other connection takes is given back.
   */
  readonly open?: () => Promise<SmtpSession>;
  /** Told of each connection that could not be opened. */
  readonly onConnectFailed?: (failure: SmtpFailure) => void;
  /** Other hosts wait because there are too many connections. */
  readonly isCrowded?: () => boolean;
}
