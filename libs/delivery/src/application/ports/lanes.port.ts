import type { Actor } from '#identity';
import type { MovedDomain } from '#domains';
import type { QueueOverview } from '../../domain/lane-overview.js';
import { RegionPresence } from '../../domain/stand-ins.js';

/** The mail for which a lane is named. */
export interface LaneRequest {
  /** The region of the sending domain. */
  readonly region: string;
  /** In upper or lower case. */
  readonly recipientDomain: string;
}

/**
 * Names the lane in which mail waits. Mail in the same lane shares its limits, and one worker at a time delivers it.
 *
 * The implementation must be pure and quick: accepting an email calls it for each recipient, in processes that do not
 * deliver. The name has at most 200 characters.
 */
export abstract class LaneNames {
  abstract laneOf(request: LaneRequest): string;
}

/** Topic of the notification that tells the worker of a lane about new work. The payload is the lane's name. */
export const laneWork = 'lane-work';

/** Topic of the notification for the workers of a lane's region, from one of another region. The payload is a `LaneJob`. */
export const laneElsewhere = 'lane-elsewhere';

/** The queue of wake-ups. A job holds only the lane and the team, and losing one loses no mail. */
export const lanesQueue = 'lanes';

export interface LaneJob {
  readonly lane: string;
  readonly teamId?: string;
}

/**
 * Signals that a lane has work: to the lanes of this process if it delivers, otherwise to those of other processes. A
 * signal may be lost: workers also look for work themselves.
 */
export abstract class LaneSignal {
  /** `teamId` is the team whose mail waits. Teams take turns in starting lanes. */
  abstract wake(lane: string, teamId: string): void;

  /** This process delivers: from now on `start` gets all of its signals. */
  abstract wakeHere(start: (lane: string, teamId: string) => void): void;
}

/** The operator's view of the lanes, and what the operator decides about them. */
export abstract class LaneDesk {
  /** Costs a bounded time, however many recipients and lanes wait. */
  abstract overview(): Promise<Omit<QueueOverview, 'regions'>>;

  /**
   * Nothing of the lane is claimed from now on, by any worker, until it is released. Returns false if it was paused
   * already.
   */
  abstract hold(lane: string, actor: Actor, note: string | undefined): Promise<boolean>;

  /** Returns false if it was not paused. */
  abstract release(lane: string): Promise<boolean>;

  /** A team with mail in the lane, in whose name it can be woken. */
  abstract teamIn(lane: string): Promise<string | undefined>;
}

export interface MovedMail {
  /** Ids of the domains with recipients in former regions, also such that a worker has in hand. */
  readonly found: readonly string[];
  /** There are more recipients in these lanes than were looked at. */
  readonly isCut: boolean;
  readonly moved: number;
  /** The last lane examined; undefined if no lane follows it. */
  readonly lookedAt: string | undefined;
}

/** The workers of each region, and the mail that waits in it. */
export abstract class RegionDesk {
  /** The regions of which a worker was ever seen. `areServed` while a worker is alive that sends for all regions. */
  abstract presences(): Promise<{ readonly presences: readonly RegionPresence[]; readonly areServed: boolean }>;

  /**
   * Moves mail of domains that waits in the next `lanes` lanes after `after`, by name, and not in the region from which the
   * domain sends now: some thousands of recipients at once. Holds no lock beyond its statement.
   */
  abstract moveWaiting(domains: readonly MovedDomain[], after: string, lanes: number): Promise<MovedMail>;
}
