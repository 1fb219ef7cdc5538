import type { Actor } from '#identity';
import type { QueueOverview } from '../../domain/lane-overview.js';

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
