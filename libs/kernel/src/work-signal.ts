/** Tells all processes that a lane has work. A signal may be lost: workers also look for work themselves. */
export abstract class WorkSignal {
  /** Never rejects. The payload is an id, never a secret. */
  abstract tell(topic: string, payload: string): Promise<void>;
}
