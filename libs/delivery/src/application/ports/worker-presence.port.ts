/** Shows the other workers that this one lives. */
export abstract class WorkerPresence {
  /** Writes one heartbeat. Rejects if it could not be written. */
  abstract heartbeat(): Promise<void>;

  /** Time since when no heartbeat has been missed, in ms. 0 if one is missing. */
  abstract get steadyForMs(): number;

  /** The worker is gone. No heartbeat follows. */
  abstract end(): void;
}
