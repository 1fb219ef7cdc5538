/**
 * A table of events that consumers read in the order of their positions. The lib that owns the table offers this through its
 * front door, and guarantees for every event that is written:
 *
 * - its position is drawn from `sequence` (CACHE 1) by a transaction that has its transaction id by then;
 * - what must stay in order (the events of one email) is written under one lock, held from before the position is drawn until
 *   the commit, and in the right order within a statement.
 */
export interface EventLog<Event extends LoggedEvent> {
  readonly sequence: string;
  /** Selects the events with $1 < position <= $2 in the order of their positions, $3 at most. */
  readonly text: string;
  /** Never set: it carries the type of the events. */
  readonly event?: Event;
}

export interface LoggedEvent {
  /** Digits: PostgreSQL's `bigint`. */
  readonly position: string;
}
