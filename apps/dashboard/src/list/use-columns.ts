import { useMemo, useState } from 'react';
import type { Column } from './column';

export interface ColumnChoice<Row> {
  readonly all: readonly Column<Row>[];
  readonly shown: readonly Column<Row>[];
  readonly toggle: (id: string) => void;
}

/** Which columns are shown. The choice is kept in the browser, by the id of the list. */
export function useColumns<Row>(listId: string, all: readonly Column<Row>[]): ColumnChoice<Row> {
  const storageKey = `postrider.columns.${listId}`;
  const [changed, setChanged] = useState<Readonly<Record<string, boolean>>>(() => read(storageKey));
  const isShown = ({ id, optional, fixed }: Column<Row>): boolean =>
    fixed === true || (changed[id] ?? optional !== true);
  // The same array until something changes: rows are drawn again with each new one.
  const shown = useMemo(() => all.filter(isShown), [all, changed]);
  return {
    all,
    shown,
    toggle: (id) => {
      const column = all.find((each) => each.id === id);
      if (column === undefined) return;
      const next = { ...changed, [id]: !isShown(column) };
      setChanged(next);
      localStorage.setItem(storageKey, JSON.stringify(next));
    },
  };
}

function read(storageKey: string): Readonly<Record<string, boolean>> {
  try {
    return JSON.parse(localStorage.getItem(storageKey) ?? '{}') as Record<string, boolean>;
  } catch {
    return {};
  }
}
