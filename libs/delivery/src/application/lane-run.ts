import { LaneHealth } from './lane-health.js';
import { Slots } from './lane-slots.js';
import { LaneWindow } from './lane-window.js';

/** What the deliveries of one drain share: those of the transactional or of the bulk mail of a lane. */
export interface LaneRun {
  readonly lane: string;
  /** Limits the messages of the lane that are handed over at the same time. */
  readonly slots: Slots;
  readonly window: LaneWindow;
  readonly health: LaneHealth;
}
