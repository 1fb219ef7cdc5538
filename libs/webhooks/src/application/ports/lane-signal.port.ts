/** Tells whichever worker has the lane, or may take it, that it has work. Losing it loses nothing but a second. */
export abstract class LaneSignal {
  abstract wake(webhookId: string): Promise<void>;
}
