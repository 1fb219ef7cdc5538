import { DomainError } from './domain-error.js';

/**
 * Whether the database could not be reached or the connection to it broke: the connection failed (SQLSTATE class 08),
 * the server is stopping, is starting or has crashed (57P), it has no free connection, memory or disk space (53), or
 * the operating system reported a network error. The statement may still have been executed: a commit may have
 * succeeded although its response was lost.
 */
export function isDatabaseAway(error: unknown): boolean {
  const { code, message, kind } = partsOf(error);
  if (kind === 'unavailable') return true;
  if (
    code !== undefined &&
    /^(?:08|53|57P|ECONN|EPIPE|ENOENT|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|ENOTFOUND|EAI_AGAIN)/.test(code)
  )
    return true;
  return message !== undefined && awayMessages.test(message);
}

/**
 * Whether a database error is temporary, so that a later attempt may succeed. That is an unavailable database, a time limit
 * that ended the statement (57014), its wait for a lock (55P03) or the transaction (25P03, 25P04), a deadlock or a
 * serialisation failure (40), a standby that has not taken over yet (25006), or an I/O error of the server (58).
 */
export function isDatabaseTrouble(error: unknown): boolean {
  const { code } = partsOf(error);
  return isDatabaseAway(error) || (code !== undefined && /^(?:57014|55P03|25P0[34]|25006|40|58)/.test(code));
}

/** Messages of the driver's own errors, which have no code. */
const awayMessages =
  /^(?:Connection terminated|Query read timeout|timeout exceeded when trying to connect|timeout expired|Client has encountered a connection error|Client was closed and is not queryable)/;

function partsOf(error: unknown): { readonly code?: string; readonly message?: string; readonly kind?: unknown } {
  const { code, message, kind } = (error ?? {}) as { code?: unknown; message?: unknown; kind?: unknown };
  return {
    code: typeof code === 'string' ? code : undefined,
    message: typeof message === 'string' ? message : undefined,
    kind,
  };
}

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

/** No connection to the database became free in time. */
export class NoConnectionError extends DomainError {
  constructor() {
    super('unavailable', 'service_unavailable', 'The service is busy. Please try again.');
  }
}
