import type { Actor } from '#identity';
import type { LaneReport } from './lane-limits.js';

/** A number that is counted only up to a maximum. */
export interface CountUpTo {
  readonly count: number;
  /** There are more than `count`. */
  readonly isMore: boolean;
}

/** A lane as the operator sees it. */
export interface LaneOverview {
  readonly lane: string;
  readonly waiting: CountUpTo;
  /** When the mail that is due next was accepted. */
  readonly oldestAt: Date | undefined;
  /** The worker that drains it. */
  readonly workerId: string | undefined;
  /** What holds it back, if anything does. */
  readonly report: LaneReport | undefined;
  /** Its site is down or asked for less: it is tried again at `until`. */
  readonly pause: { readonly since: Date; readonly until: Date; readonly reason: string } | undefined;
  /** The operator has paused it. */
  readonly hold: LaneHold | undefined;
}

export interface LaneHold {
  readonly since: Date;
  readonly note: string | undefined;
  readonly actor: Actor;
}

export interface QueueOverview {
  readonly waiting: CountUpTo;
  readonly lanes: CountUpTo;
  /** When the mail that has waited longest was accepted. */
  readonly oldestAt: Date | undefined;
  /** The lanes that wait most, and all that the operator has paused. */
  readonly longest: readonly LaneOverview[];
  readonly workers: readonly WorkerOverview[];
}

export interface WorkerOverview {
  readonly id: string;
  readonly startedAt: Date;
  readonly heartbeatAt: Date;
  readonly host: string | undefined;
  readonly pid: number | undefined;
  readonly lanes: number;
  readonly held: number;
  readonly cpu: number;
  readonly memory: number;
}

/** How many lanes an overview names. */
export const maxLanesShown = 24;
