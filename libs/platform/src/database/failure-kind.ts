import { NoConnectionError } from './connection-share.js';

/**
 * `data`: PostgreSQL refused values (SQLSTATE classes 21, 22, 23 and 54), and will do so again. `blocked`: a lock was not
 * to be had in time, or the statement took too long (55P03, 57014). `refused`: there was no connection in time, and whoever
 * asks again would wait as long. `trouble`: the connection or the server failed, whatever was written. `unknown`: it may be
 * any of these, or a conflict with others (class 40).
 */
export type FailureKind = 'data' | 'blocked' | 'refused' | 'trouble' | 'unknown';

const data = /^(?:2[123]|54)\w{3}$/;
const trouble =
  /^(?:(?:08|53|57|58)\w{3}|ECONN\w+|EPIPE|ENOENT|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)$/;
const lostConnection = /^(?:Connection terminated|timeout exceeded when trying to connect)/;

export function failureKind(error: unknown): FailureKind {
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown };
  if (typeof code === 'string' && data.test(code)) return 'data';
  if (code === '55P03' || code === '57014') return 'blocked';
  if (error instanceof NoConnectionError) return 'refused';
  if (typeof code === 'string' && trouble.test(code)) return 'trouble';
  return typeof message === 'string' && lostConnection.test(message) ? 'trouble' : 'unknown';
}
