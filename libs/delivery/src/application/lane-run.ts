import { Slots } from '#kernel';
import { LaneHealth } from './lane-health.js';
import { LaneWindow } from './lane-window.js';

/** What the deliveries of one drain of a lane have in common. */
export interface LaneRun {
  readonly lane: string;
  /** Hand-overs at once. */
  readonly slots: Slots;
  readonly window: LaneWindow;
  readonly health: LaneHealth;
}
