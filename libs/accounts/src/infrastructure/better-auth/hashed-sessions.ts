import { hashedSessionToken, isHashedSessionToken } from '../session-token.js';

type Row = Record<string, unknown>;
interface Condition {
  readonly field: string;
  readonly value: unknown;
}
interface Request {
  readonly model: string;
  readonly where?: readonly Condition[];
  readonly data?: Row;
  readonly update?: Row;
}
type Method = (request: Request) => Promise<unknown>;
type Factory = (options: never) => Record<string, unknown>;

const reads = ['findOne', 'findMany', 'count'];
const writes = ['create', 'update', 'updateMany', 'delete', 'deleteMany', 'consumeOne', 'incrementOne'];

/**
 * Wraps an adapter of better-auth so that the table of sessions holds only hashes of their tokens: who reads the database
 * or a backup cannot take over a session. better-auth itself sees the plain token if it asked with one.
 *
 * A hash that was read from a list may be used to end the session, and never to find it: otherwise a stolen hash would be
 * as good as the token.
 */
export function withHashedSessions(factory: Factory): Factory {
  return (options) => wrapped(factory(options));
}

function wrapped(adapter: Record<string, unknown>): Record<string, unknown> {
  const copy = { ...adapter };
  for (const name of [...reads, ...writes]) {
    const method = adapter[name] as Method | undefined;
    if (method === undefined) continue;
    copy[name] = async (request: Request) => {
      if (request.model !== 'session') return method(request);
      const result = await method(hashed(request, writes.includes(name)));
      return restored(result, request);
    };
  }
  const { transaction } = adapter;
  if (typeof transaction === 'function') {
    copy.transaction = (work: (inner: unknown) => Promise<unknown>) =>
      (transaction as (work: (inner: Record<string, unknown>) => Promise<unknown>) => Promise<unknown>)((inner) =>
        work(wrapped(inner)),
      );
  }
  return copy;
}

function hashed(request: Request, isWrite: boolean): Request {
  const one = (value: unknown): unknown => {
    if (typeof value !== 'string') return value;
    return isWrite && isHashedSessionToken(value) ? value : hashedSessionToken(value);
  };
  const token = (row: Row | undefined): Row | undefined =>
    row?.token === undefined ? row : { ...row, token: one(row.token) };
  return {
    ...request,
    where: request.where?.map((condition) =>
      condition.field === 'token'
        ? { ...condition, value: Array.isArray(condition.value) ? condition.value.map(one) : one(condition.value) }
        : condition,
    ),
    data: token(request.data),
    update: token(request.update),
  };
}

/** Gives the plain tokens back that the request itself named. */
function restored(result: unknown, { where = [], data, update }: Request): unknown {
  const plain = new Map<string, string>();
  const named = [
    ...where.filter(({ field }) => field === 'token').map(({ value }) => value),
    data?.token,
    update?.token,
  ];
  for (const token of named.flat()) {
    if (typeof token === 'string' && !isHashedSessionToken(token)) plain.set(hashedSessionToken(token), token);
  }
  const one = (row: unknown): unknown => {
    const token = plain.get((row as Row | null)?.token as string);
    return token === undefined ? row : { ...(row as Row), token };
  };
  return Array.isArray(result) ? result.map(one) : one(result);
}
