/** Broadcast that notifies the worker that has a lane of new work. The payload is the lane's name. */
export const laneWork = 'lane-work';

/** The queue of wake-ups. A job holds only the lane and the team, and losing one loses no mail. */
export const lanesQueue = 'lanes';

export interface LaneJob {
  readonly lane: string;
  readonly teamId?: string;
}
