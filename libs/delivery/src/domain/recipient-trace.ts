/** One attempt as it is on record. `unknown`: handed over, or under way when the worker ended, and never confirmed. */
export interface TracedAttempt {
  readonly attempt: number;
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly outcome: 'delivered' | 'deferred' | 'bounced' | 'unknown';
  readonly category: string | null;
  readonly reason: string | null;
  readonly host: string | null;
  readonly address: string | null;
  readonly tls: Readonly<Record<string, unknown>> | null;
  readonly replyCode: number | null;
  readonly enhancedCode: string | null;
  readonly replyText: string | null;
  /** See `AttemptTimings`. */
  readonly timings: Readonly<Record<string, number>> | null;
}

export interface TracedEvent {
  readonly seq: number;
  readonly type: string;
  readonly createdAt: Date;
  readonly data: Readonly<Record<string, unknown>> | null;
}

/** What came back by mail after the message had been handed over: a report on its delivery, a complaint. */
export interface TracedReport {
  readonly receivedAt: Date;
  readonly kind: string;
  /** Host or address of who reported. */
  readonly reporter: string | null;
  readonly action: string | null;
  readonly status: string | null;
  readonly category: string | null;
  readonly diagnostic: string | null;
  /** What followed from it; `none` for what was already known, or changes nothing. */
  readonly effect: string;
}

/** Where a recipient that is still to be delivered waits. */
export interface QueuePlace {
  readonly lane: string;
  readonly queuedAt: Date;
  readonly dueAt: Date;
  readonly attempts: number;
  /** A worker has claimed it. */
  readonly isHeld: boolean;
  /** A worker drains its lane. */
  readonly isLaneTaken: boolean;
  readonly pause: { readonly since: Date; readonly until: Date; readonly reason: string } | null;
}

export interface RecipientTrace {
  readonly no: number;
  readonly address: string;
  readonly status: string;
  readonly place: QueuePlace | null;
  readonly attempts: readonly TracedAttempt[];
  readonly reports: readonly TracedReport[];
  readonly events: readonly TracedEvent[];
}

/** The whole story of an email, recipient by recipient. */
export interface EmailTrace {
  readonly emailId: string;
  readonly createdAt: Date;
  readonly scheduledAt: Date | null;
  /** What happened to the email as a whole: its acceptance, for one. */
  readonly events: readonly TracedEvent[];
  readonly recipients: readonly RecipientTrace[];
}

/** What keeps a recipient from being tried right now, until when where that is known, and why. */
export interface Hold {
  readonly kind: 'schedule' | 'retry_schedule' | 'lane_paused' | 'lane_limit' | 'no_worker' | 'under_way';
  readonly until: Date | null;
  readonly reason: string;
}

/** Undefined where nothing is waited for: the recipient is in a final state. */
export function holdOf({ place, status }: RecipientTrace, scheduledAt: Date | null, now: Date): Hold | undefined {
  if (place === null) {
    if (status !== 'scheduled') return undefined;
    return { kind: 'schedule', until: scheduledAt, reason: 'The email is scheduled' };
  }
  const { lane, dueAt, pause } = place;
  if (place.isHeld) {
    const reason = `A worker has it: being delivered, or waiting for one of the connections of lane ${lane}`;
    return { kind: 'under_way', until: null, reason };
  }
  if (pause !== null && pause.until > now && pause.until > dueAt) {
    return { kind: 'lane_paused', until: pause.until, reason: pause.reason };
  }
  if (dueAt > now) {
    const reason = `Attempt ${place.attempts} did not succeed; the next one has its time`;
    return { kind: 'retry_schedule', until: dueAt, reason };
  }
  if (!place.isLaneTaken) return { kind: 'no_worker', until: null, reason: `No worker has taken lane ${lane} yet` };
  return { kind: 'lane_limit', until: null, reason: `Lane ${lane} delivers as much at once as its site takes` };
}
