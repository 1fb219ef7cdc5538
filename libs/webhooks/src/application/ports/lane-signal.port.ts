/** Notifies the workers that a lane has work. A lost notification delays the work by a second, until the next sweep. */
export abstract class LaneSignal {
  abstract wake(webhookId: string): Promise<void>;
}
