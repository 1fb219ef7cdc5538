/** Says that a lane has work. May be lost: whoever delivers also looks for itself. */
export abstract class LaneSignal {
  abstract wake(lane: string): void;
}
