/** Kinds of attempts, each with its own limit. */
export type AttemptKind =
  | 'guess-address'
  | 'guess-network'
  | 'guess-account'
  | 'mail-address'
  | 'mail-network'
  | 'mail-account'
  | 'invite-actor'
  | 'invite-team'
  | 'invite-address'
  | 'invite-anywhere'
  | 'logout-token';

export interface CountedAttempt {
  readonly kind: AttemptKind;
  /** Who is counted: a hash, never an address of a person. */
  readonly key: string;
}

export interface CountedWindow {
  readonly count: number;
  readonly endsAt: Date;
}

/**
 * Counts attempts in fixed windows, for all processes of the installation together. What is counted is durable: an
 * attempt that was counted stays counted when a process ends.
 */
export abstract class AttemptCounts {
  /**
   * Counts an attempt. `count` is the number in the window with this one: above `max` it was one too many, and is not
   * told apart further.
   */
  abstract add(
    attempt: CountedAttempt,
    window: { readonly max: number; readonly ms: number },
    now: Date,
  ): Promise<CountedWindow>;

  /** Takes an attempt back that turned out to be no guess. */
  abstract giveBack(attempt: CountedAttempt): Promise<void>;
}

/** Whole seconds to wait until a window ends, at least one. */
export function secondsUntil(endsAt: Date, now: Date): number {
  return Math.max(1, Math.ceil((endsAt.getTime() - now.getTime()) / 1_000));
}
