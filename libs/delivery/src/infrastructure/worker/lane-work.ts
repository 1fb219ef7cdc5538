/** Broadcast that notifies the worker that has a lane of new work. The payload is the lane's name. */
export const laneWork = 'lane-work';
