import { Slots } from '#kernel';
import { LaneHealth } from './lane-health.js';
import { LaneWindow } from './lane-window.js';

/** What the deliveries of one drain share. */
export interface LaneRun {
  readonly lane: string;
  /** Limits the messages that are handed over at the same time. */
  readonly slots: Slots;
  readonly window: LaneWindow;
  readonly health: LaneHealth;
}
