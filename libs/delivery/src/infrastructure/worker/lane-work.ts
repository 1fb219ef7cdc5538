/** The broadcast that tells the worker that has a lane of new work in it; the payload is the lane's name. */
export const laneWork = 'lane-work';
