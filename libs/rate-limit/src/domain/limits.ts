import { DomainError } from '#kernel';

/** How many messages a team may send and receive; undefined if there is no limit. Each recipient is one message. */
export interface QuotaLimits {
  readonly daily: number | undefined;
  readonly monthly: number | undefined;
}

/** Messages of one team in one period. */
export interface MessageCount {
  readonly sent: number;
  readonly received: number;
}

export interface TeamUsage {
  readonly daily: MessageCount;
  readonly monthly: MessageCount;
}

export function used({ sent, received }: MessageCount): number {
  return sent + received;
}

/** Throws if the usage exceeds a limit. */
export function checkQuota(limits: QuotaLimits, usage: TeamUsage, now: Date): void {
  if (limits.daily !== undefined && used(usage.daily) > limits.daily) throw new DailyQuotaExceededError(now);
  if (limits.monthly !== undefined && used(usage.monthly) > limits.monthly) throw new MonthlyQuotaExceededError(now);
}

/** The day and the month (UTC) of a moment: `2026-11-30` and `2026-11`. */
export function periodsOf(moment: Date): { readonly day: string; readonly month: string } {
  const day = moment.toISOString().slice(0, 10);
  return { day, month: day.slice(0, 7) };
}

/** When the day and the month (UTC) of a moment end. */
export function resetsOf(moment: Date): { readonly daily: Date; readonly monthly: Date } {
  const [year, month, day] = [moment.getUTCFullYear(), moment.getUTCMonth(), moment.getUTCDate()];
  return { daily: new Date(Date.UTC(year, month, day + 1)), monthly: new Date(Date.UTC(year, month + 1, 1)) };
}

export class DailyQuotaExceededError extends DomainError {
  constructor(now: Date) {
    const message = 'You have reached your daily email sending quota.';
    super('limited', 'daily_quota_exceeded', message, secondsBetween(now, resetsOf(now).daily));
  }
}

export class KeyLimitExceededError extends DomainError {
  constructor(limit: number, now: Date) {
    const message = `This API key has reached its rule \`daily_limit\`: ${limit} recipients in a day.`;
    super('limited', 'daily_quota_exceeded', message, secondsBetween(now, resetsOf(now).daily));
  }
}

export class MonthlyQuotaExceededError extends DomainError {
  constructor(now: Date) {
    const message = 'You have reached your monthly email sending quota.';
    super('limited', 'monthly_quota_exceeded', message, secondsBetween(now, resetsOf(now).monthly));
  }
}

function secondsBetween(now: Date, later: Date): number {
  return Math.ceil((later.getTime() - now.getTime()) / 1_000);
}

/** Whether one more request of a team is allowed in the current window, and how many are left. */
export interface RateDecision {
  readonly allowed: boolean;
  /** Requests per window. */
  readonly limit: number;
  /** Requests that this process knows to be left. With several processes there may be more, never fewer. */
  readonly remaining: number;
  /** Whole seconds until the window ends, rounded up. */
  readonly resetSeconds: number;
}

/** Windows are fixed and one second long (docs/wire-contract.md section 5). */
export const windowMs = 1_000;

export class RateLimitExceededError extends DomainError {
  constructor(limit: number) {
    super(
      'limited',
      'rate_limit_exceeded',
      `Too many requests. You can only make ${limit} requests per second. Wait for \`retry-after\` seconds and try again.`,
    );
  }
}
