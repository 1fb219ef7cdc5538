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
