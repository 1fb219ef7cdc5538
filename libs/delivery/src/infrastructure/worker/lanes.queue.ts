/** The BullMQ queue whose jobs say "this lane has work". A job carries nothing but whose work it is, and losing one loses nothing. */
export const lanesQueue = 'lanes';

export interface LaneJob {
  readonly lane: string;
  readonly teamId?: string;
}
