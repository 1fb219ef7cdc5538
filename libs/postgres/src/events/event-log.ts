/**
 * A table of events that consumers read in the order of their positions. The lib that owns the table exports this
 * through its front door. It guarantees for every event that is written:
 *
 * - its position is drawn from `sequence` (CACHE 1) by a transaction that already has its transaction id;
 * - events that must stay in order (those of one email) are written under one lock, which is held from before the position is
 *   drawn until the commit, and in the right order within a statement.
 */
export interface EventLog<Event extends LoggedEvent> {
  readonly sequence: string;
  /** Selects the events with $1 < position <= $2 in the order of their positions, at most $3 of them. */
  readonly text: string;
  /** Never set. It only declares the type of the events. */
  readonly event?: Event;
}

export interface LoggedEvent {
  /** Digits: PostgreSQL's `bigint`. */
  readonly position: string;
}
