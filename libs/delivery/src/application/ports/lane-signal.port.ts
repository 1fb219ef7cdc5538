/** Signals that a lane has work. A signal may be lost: workers also look for work themselves. */
export abstract class LaneSignal {
  /** `teamId` is the team whose mail waits. Teams take turns in starting lanes. */
  abstract wake(lane: string, teamId: string): void;
}
