import { ConnectionType } from './graph.js';

/** How many runs of an automation there have been, and how they ended. */
export interface RunCounts {
  readonly started: number;
  readonly completed: number;
  readonly failed: number;
  readonly cancelled: number;
  /** Contacts that were kept out by the settings. */
  readonly notEntered: number;
  /** Completed runs that ended because they reached a goal. */
  readonly goals: number;
}

/** What a list says of an automation. */
export interface AutomationTotals {
  /** Runs that have begun. */
  readonly runs: number;
  /** Those that have not ended. */
  readonly running: number;
  /** What they sent. */
  readonly emails: number;
}

/** What became of the emails of a step, each kind once for an email. What machines open and click does not count. */
export interface MailCounts {
  readonly sent: number;
  readonly delivered: number;
  readonly opened: number;
  readonly clicked: number;
  readonly bounced: number;
  readonly complained: number;
  readonly unsubscribed: number;
}

export interface StepCounts {
  readonly entered: number;
  readonly waiting: number;
  readonly completed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly passed: Readonly<Record<ConnectionType, number>>;
  readonly emails: MailCounts;
}

/** Kept in the transactions that change them, so that reading them costs the same for any number of runs. */
export interface AutomationCounts {
  readonly runs: RunCounts;
  readonly steps: ReadonlyMap<string, StepCounts>;
}
