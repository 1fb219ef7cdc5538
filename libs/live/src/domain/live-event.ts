import { DomainError } from '#kernel';

/**
 * What a stream tells its client:
 *
 * - `ready`: from here on every change is told. What the client has read before may be older, so it reads again.
 * - `emails`: emails that are new or have changed, as lists show them.
 * - `changed`: so many emails changed that they are not named.
 * - `events`: types of events of the team that belong to no email, such as `domain.updated`.
 * - `reload`: changes were missed.
 */
export type LiveEvent =
  | { readonly type: 'ready' | 'reload' }
  | { readonly type: 'emails'; readonly emails: readonly object[] }
  | { readonly type: 'changed'; readonly topics: readonly string[] }
  | { readonly type: 'events'; readonly events: readonly string[] };

export class TooManyStreamsError extends DomainError {
  constructor(max: number) {
    super('limited', 'rate_limit_exceeded', `Your team has ${max} live streams open. Close one and try again.`);
  }
}

export class NoRoomForStreamsError extends DomainError {
  constructor() {
    super('unavailable', 'service_unavailable', 'The service cannot hold more live streams. Please try again.');
  }
}

/**
 * How far a source has read the changes: a snapshot of PostgreSQL (`pg_snapshot`), which names the transactions whose
 * changes are known. A snapshot has no gaps: a transaction that commits late is not in it, and its changes are read
 * once it is.
 */
export interface LivePosition {
  /** When the snapshot was taken, by the clock of the database, in ms since 1970. */
  readonly at: number;
  /** The text of a `pg_snapshot`: `xmin:xmax:xip,xip`. */
  readonly snapshot: string;
}

/** Longer ones, with hundreds of transactions under way, are not worth resuming from. */
const maxPositionLength = 2_000;
const positionForm = /^(\d{13})\.((\d{1,19}):(\d{1,19}):([\d,]*))$/;
const maxXid = 2n ** 63n;

/** The id of an event of the stream, which a client sends back as `Last-Event-ID`. */
export function positionId({ at, snapshot }: LivePosition): string {
  return `${at}.${snapshot}`;
}

/** Reads an id that a client sent. Undefined if PostgreSQL would not accept its snapshot. */
export function parsePosition(id: unknown): LivePosition | undefined {
  if (typeof id !== 'string' || id.length > maxPositionLength) return undefined;
  const [, at, snapshot, first, last, running] = positionForm.exec(id) ?? [];
  if (at === undefined || snapshot === undefined || first === undefined || last === undefined) return undefined;
  const [xmin, xmax] = [BigInt(first), BigInt(last)];
  if (xmin < 1n || xmin > xmax || xmax >= maxXid) return undefined;
  return areInOrder(running ?? '', xmin, xmax) ? { at: Number(at), snapshot } : undefined;
}

/** The lowest transaction that was under way, and the first that had not begun. */
export function boundsOfSnapshot(snapshot: string): { readonly xmin: bigint; readonly xmax: bigint } {
  const [xmin = '0', xmax = '0'] = snapshot.split(':', 2);
  return { xmin: BigInt(xmin), xmax: BigInt(xmax) };
}

/** Whether the changes of a transaction are known at the position. */
export function isKnownAt(snapshot: string, xid: bigint): boolean {
  const { xmin, xmax } = boundsOfSnapshot(snapshot);
  if (xid < xmin) return true;
  return (
    xid < xmax &&
    !snapshot
      .slice(snapshot.lastIndexOf(':') + 1)
      .split(',')
      .includes(String(xid))
  );
}

function areInOrder(running: string, xmin: bigint, xmax: bigint): boolean {
  if (running === '') return true;
  let previous = xmin - 1n;
  for (const part of running.split(',')) {
    if (part === '' || part.length > 19) return false;
    const xid = BigInt(part);
    if (xid <= previous || xid >= xmax) return false;
    previous = xid;
  }
  return true;
}
