export interface LeaseRequest {
  /** Requests that a team may make per window. */
  readonly limit: number;
  /** What is granted where enough is left. */
  readonly portion: number;
  /** Requests that wait for the answer: as much is granted where it is left, whatever the portion. */
  readonly waiting: number;
}

export interface GrantedLease {
  readonly granted: number;
  /** What all processes together have been granted of the window. */
  readonly used: number;
  /** Milliseconds to the end of the window, by the clock that all share. */
  readonly endsInMs: number;
}

/**
 * Where processes share the windows of teams. Portions are granted one after the other, so that all of a window together
 * never exceed the limit: of what is left the portion but no more than half, or what is waited for where that is more.
 */
export abstract class WindowLeases {
  abstract lease(teamId: string, request: LeaseRequest): Promise<GrantedLease>;
}
