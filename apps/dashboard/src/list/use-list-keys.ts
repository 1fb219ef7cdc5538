import { useTranslation } from 'react-i18next';
import { useShortcuts } from '../frame/shortcuts';
import { extended, nothingSelected, toggled, type Selection } from '../logic/selection';

interface ListKeys<Row> {
  readonly rows: readonly Row[];
  /** The ids of the rows. */
  readonly order: readonly string[];
  readonly current: number;
  readonly selection: Selection;
  readonly selectable: boolean;
  readonly select: (selection: Selection) => void;
  readonly move: (index: number) => void;
  readonly open: (row: Row) => void;
}

/** `j k` and the arrows move, Enter opens, `x` selects, shift extends, Escape clears the selection. */
export function useListKeys<Row extends { readonly id: string }>(list: ListKeys<Row>): void {
  const { rows, order, current, selection, selectable } = list;
  const { t } = useTranslation();
  const group = t('list:keys.list');
  const row = rows[current];

  const step = (by: number) => (): void => {
    if (rows.length > 0) list.move(Math.min(Math.max(current + by, 0), rows.length - 1));
  };
  const extend = (by: number) => (): void => {
    const next = rows[Math.min(Math.max(current + by, 0), rows.length - 1)];
    if (next === undefined || !selectable) return;
    const anchored = selection.anchor === undefined && row !== undefined ? toggled(selection, row.id) : selection;
    list.select(extended(anchored, next.id, order));
    list.move(order.indexOf(next.id));
  };
  const selecting = selectable
    ? [
        {
          keys: 'x',
          label: t('list:keys.select'),
          group,
          run: () => void (row !== undefined && list.select(toggled(selection, row.id))),
        },
        { keys: 'J', label: t('list:keys.extend'), group, run: extend(1) },
        { keys: 'K', group, run: extend(-1) },
        { keys: 'shift+ArrowDown', group, run: extend(1) },
        { keys: 'shift+ArrowUp', group, run: extend(-1) },
      ]
    : [];
  useShortcuts([
    { keys: 'j', label: t('list:keys.next'), group, run: step(1) },
    { keys: 'k', label: t('list:keys.previous'), group, run: step(-1) },
    { keys: 'ArrowDown', run: step(1) },
    { keys: 'ArrowUp', run: step(-1) },
    {
      keys: 'Enter',
      label: t('list:keys.open'),
      group,
      run: (event) => {
        // A link or button that has the focus answers to the key itself.
        if (row === undefined || (event.target as HTMLElement).closest('a, button') !== null) return false;
        return list.open(row);
      },
    },
    ...selecting,
    {
      keys: 'Escape',
      run: () => {
        if (selection.ids.size === 0) return false;
        return list.select(nothingSelected);
      },
    },
  ]);
}
