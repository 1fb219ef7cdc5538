import { DomainError, isDatabaseAway } from '#kernel';

/**
 * `data`: PostgreSQL refused values (SQLSTATE classes 21, 22, 23 and 54), and will do so again. `blocked`: a lock was not
 * to be had in time, or the statement took too long (55P03, 57014). `refused`: there was no connection in time, or
 * PostgreSQL is known to stand still, and whoever asks again would wait as long. `trouble`: the connection or the server
 * failed, whatever was written. `unknown`: it may be any of these, or a conflict with others (class 40).
 */
export type FailureKind = 'data' | 'blocked' | 'refused' | 'trouble' | 'unknown';

const data = /^(?:2[123]|54)\w{3}$/;
/** The server fails for itself: its operator, or its disk. */
const ownTrouble = /^5[78]\w{3}$/;

export function failureKind(error: unknown): FailureKind {
  const { code } = error as { readonly code?: unknown };
  if (typeof code === 'string' && data.test(code)) return 'data';
  if (code === '55P03' || code === '57014') return 'blocked';
  if (error instanceof DomainError && error.kind === 'unavailable') return 'refused';
  return isDatabaseAway(error) || (typeof code === 'string' && ownTrouble.test(code)) ? 'trouble' : 'unknown';
}
