import { DomainError, isDatabaseAway } from '#kernel';

/**
 * - `data`: PostgreSQL refused values (SQLSTATE classes 21, 22, 23 and 54), and will refuse them again.
 * - `blocked`: a lock was not acquired in time, or the statement took too long (55P03, 57014).
 * - `refused`: no connection was free in time, or PostgreSQL is known to hang. Another attempt would wait just as long.
 * - `trouble`: the connection or the server failed, independent of the values.
 * - `unknown`: any of these, or a conflict with another transaction (class 40).
 */
export type FailureKind = 'data' | 'blocked' | 'refused' | 'trouble' | 'unknown';

const data = /^(?:2[123]|54)\w{3}$/;
/** Failures of the server itself: operator intervention (57) and system errors (58). */
const ownTrouble = /^5[78]\w{3}$/;

export function failureKind(error: unknown): FailureKind {
  const { code } = error as { readonly code?: unknown };
  if (typeof code === 'string' && data.test(code)) return 'data';
  if (code === '55P03' || code === '57014') return 'blocked';
  if (error instanceof DomainError && error.kind === 'unavailable') return 'refused';
  return isDatabaseAway(error) || (typeof code === 'string' && ownTrouble.test(code)) ? 'trouble' : 'unknown';
}
