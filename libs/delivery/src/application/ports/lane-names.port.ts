/** The mail for which a lane is named. */
export interface LaneRequest {
  /** The region of the sending domain. */
  readonly region: string;
  /** In upper or lower case. */
  readonly recipientDomain: string;
}

/**
 * Names the lane in which mail waits. Mail in the same lane shares its limits, and one worker at a time delivers it.
 *
 * The implementation must be pure and quick: accepting an email calls it for each recipient, in processes that do not
 * deliver. The name has at most 200 characters.
 */
export abstract class LaneNames {
  abstract laneOf(request: LaneRequest): string;
}
