/** Mail whose lane is asked for. */
export interface LaneRequest {
  /** The region of the sending domain. */
  readonly region: string;
  /** In any case of letters. */
  readonly recipientDomain: string;
}

/**
 * Names the lane in which mail waits. Mail that shares a lane shares its limits, and one worker at a time delivers it.
 *
 * Pure and quick: accepting an email asks for each recipient, in processes that deliver nothing. The name has at most 200
 * characters.
 */
export abstract class LaneNames {
  abstract laneOf(request: LaneRequest): string;
}
