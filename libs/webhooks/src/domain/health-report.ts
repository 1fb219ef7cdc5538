/** How the calls of an endpoint end. */
export interface HealthReport {
  /** `failing`: the last calls failed. `down`: only one call at a time is made, with pauses. */
  readonly state: 'up' | 'failing' | 'down';
  /** The first failure since the last success. */
  readonly failingSince: Date | null;
  /** Why the last call failed; null if it succeeded. */
  readonly reason: string | null;
  /** 0 if there was no response; null if no call was made yet. */
  readonly lastStatus: number | null;
  readonly lastCalledAt: Date | null;
  /** Null if no message waits, or if the endpoint is disabled. */
  readonly nextAttemptAt: Date | null;
  /** Calls of the last 24 hours, and those of them that succeeded. */
  readonly calls: number;
  readonly succeeded: number;
}

export interface StoredHealthReport extends Omit<HealthReport, 'state' | 'reason'> {
  readonly failures: number;
  readonly isDown: boolean;
  /** Why there was no response. */
  readonly lastError: string | null;
}

export function reportOf({ failures, isDown, lastError, ...kept }: StoredHealthReport): HealthReport {
  const reason = lastError ?? `The endpoint responded with status ${kept.lastStatus}`;
  const hasFailed = failures > 0 && kept.lastStatus !== null;
  return { ...kept, state: isDown ? 'down' : failures > 0 ? 'failing' : 'up', reason: hasFailed ? reason : null };
}
