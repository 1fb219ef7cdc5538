/** Tells the fan-out that a broadcast has work. A lost call delays it until the next sweep: the rows carry the work. */
export abstract class BroadcastSignal {
  abstract started(broadcastId: string): void;
}
