/** Says that a lane has work. May be lost: whoever delivers also looks for itself. */
export abstract class LaneSignal {
  /** `teamId`: whose work it is. Lanes of teams are begun in turns. */
  abstract wake(lane: string, teamId: string): void;
}
