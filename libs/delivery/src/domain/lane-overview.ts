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
  /** Empty where no worker has a region of its own. */
  readonly regions: readonly RegionOverview[];
}

/** A region as the operator sees it. */
export interface RegionOverview {
  readonly name: string;
  /** Workers of its own that are alive. */
  readonly workers: number;
  /** For how long none has been seen; undefined if none ever was. */
  readonly silentMs: number | undefined;
  /** Whether workers are alive that send for all regions. */
  readonly isServedByAll: boolean;
  /** The region that sends the mail of its domains that want that. */
  readonly standIn: string | undefined;
}

export interface WorkerOverview {
  readonly id: string;
  readonly startedAt: Date;
  readonly heartbeatAt: Date;
  /** Undefined if it sends for all regions. */
  readonly region: string | undefined;
  readonly host: string | undefined;
  readonly pid: number | undefined;
  readonly lanes: number;
  readonly held: number;
  readonly cpu: number;
  readonly memory: number;
}

/** How many lanes an overview names. */
export const maxLanesShown = 24;
