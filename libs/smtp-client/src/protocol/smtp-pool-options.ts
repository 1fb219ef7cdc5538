import type { ConnectionBudget } from './connection-budget.js';
import type { RateLimit } from './rate-limit.js';
import type { SmtpFailure } from './smtp-failure.js';
import type { SmtpHostOptions } from './smtp-options.js';
import type { SmtpSession } from './smtp-session.js';

export interface SmtpPoolOptions extends SmtpHostOptions {
  /** Maximum number of connections. Default 2. */
  readonly connections?: number;
  /** Shared with other pools; replaces `connections`. */
  readonly budget?: ConnectionBudget;
  /** Shared with other pools. Default: no limit. */
  readonly rate?: RateLimit;
  /** Messages after which a connection is replaced. Default: no limit. */
  readonly messagesPerConnection?: number;
  /** Milliseconds before connecting again after a failure. Doubles with each failure in a row, up to 16 times. */
  readonly backOff?: number;
  /**
   * Opens a session, for example to one of several hosts. Default: to the host of the options. Rejects with
   * `NotAttemptedError` if no session may be opened now: messages that no other connection takes are then withdrawn.
   */
  readonly open?: () => Promise<SmtpSession>;
  /** Called for each connection that could not be opened. */
  readonly onConnectFailed?: (failure: SmtpFailure) => void;
  /** Whether other hosts wait because there are too many connections. */
  readonly isCrowded?: () => boolean;
}
