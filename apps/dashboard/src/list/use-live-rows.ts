import { useRef, useState } from 'react';
import { useLive, type LiveEvent } from '../api/live';
import type { Rows } from './use-pages';

export interface LiveRows {
  /** Rows that have come and are not shown yet. */
  readonly count: number;
  readonly show: () => void;
  /** Set by the list: whether its upper end is in sight. New rows are then shown at once. */
  readonly isAtTop: { current: boolean };
}

interface Options<Row> {
  /** The rows that an event brings, new or changed; undefined for an event that does not concern the list. */
  readonly rowsOf: (event: LiveEvent) => readonly Row[] | undefined;
  /** Events after which the list is read again. */
  readonly rereads: (event: LiveEvent) => boolean;
  /** Whether a row belongs to the list as it is filtered. Undefined: it cannot be told, so the list is read again. */
  readonly accepts?: ((row: Row) => boolean) | undefined;
}

/** Keeps a list up to date: changed rows are updated in place, new rows appear at the top, or are counted while it is scrolled. */
export function useLiveRows<Row extends { readonly id: string }>(rows: Rows<Row>, options: Options<Row>): LiveRows {
  const isAtTop = useRef(true);
  const [fresh, setFresh] = useState<ReadonlySet<string>>(new Set());
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const read = (): void => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      setFresh(new Set());
      // What cannot be read now is read after the next event.
      rows.refreshHead().catch(() => undefined);
    }, 250);
  };
  useLive((event) => {
    if (options.rereads(event)) return read();
    const unknown = options.rowsOf(event)?.filter((row) => !rows.patch(row.id, () => row)) ?? [];
    const accepted = options.accepts === undefined ? unknown : unknown.filter(options.accepts);
    if (accepted.length === 0) return;
    if (isAtTop.current) return read();
    setFresh((known) => new Set([...known, ...accepted.map(({ id }) => id)]));
  });
  return { count: fresh.size, show: read, isAtTop };
}
