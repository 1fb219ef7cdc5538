import { Skeleton } from '@mantine/core';
import { useLocation } from '@tanstack/react-router';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useCallback, useEffect, useId, useMemo, useRef, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { nothingSelected, present } from '../logic/selection';
import { ErrorState } from '../parts/states';
import { BulkBar } from './bulk-bar';
import type { BulkAction, Column } from './column';
import { ListRow } from './list-row';
import styles from './list.module.css';
import type { LiveRows } from './use-live-rows';
import { useListKeys } from './use-list-keys';
import type { Rows } from './use-pages';

export interface ListProps<Row> {
  /** What the rows are: "Emails". */
  readonly label: string;
  readonly rows: Rows<Row>;
  readonly columns: readonly Column<Row>[];
  /** A row in two lines, for the narrow list beside a detail and for phones. */
  readonly compact: (row: Row) => ReactNode;
  readonly hrefOf?: (row: Row) => string;
  readonly open?: (row: Row) => void;
  /** The row whose detail is open. The list is narrow then. */
  readonly openId?: string | undefined;
  readonly bulk?: readonly BulkAction<Row>[];
  /** Shown if there is no row. */
  readonly empty: ReactNode;
  /** From `useLiveRows`. */
  readonly live?: LiveRows;
}

const rowHeight = 40;
const compactHeight = 60;

/** The one list: virtual rows over cursor pages, keys, selection, bulk actions, live rows, empty and error states. */
export function List<Row extends { readonly id: string }>(props: ListProps<Row>) {
  const { label, rows, columns, compact, hrefOf, open, openId, bulk = [], empty, live } = props;
  const { t } = useTranslation();
  const id = useId();
  // A row in a new tab keeps the filters of the list.
  const search = useLocation({ select: ({ searchStr }) => searchStr });
  const scroller = useRef<HTMLDivElement>(null);
  const isCompact = useIsNarrow() || openId !== undefined;
  // Each frame of a scroll renders the list, so nothing here may go through all of its rows.
  const order = useMemo(() => rows.rows.map((row) => row.id), [rows.rows]);
  const orderNow = useLatest(order);
  const openNow = useLatest(open);
  const openRow = useCallback((row: Row) => openNow.current?.(row), [openNow]);
  const [selection, setSelection] = useState(nothingSelected);
  const selected = useMemo(() => present(selection, order), [selection, order]);
  const selectedRows = useMemo(
    () => (selected.ids.size === 0 ? [] : rows.rows.filter((row) => selected.ids.has(row.id))),
    [selected, rows.rows],
  );
  const [current, setCurrent] = useState(-1);

  const height = isCompact ? compactHeight : rowHeight;
  const virtual = useVirtualizer({
    count: rows.rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    getItemKey: useCallback((index: number) => order[index] ?? index, [order]),
    overscan: 12,
  });
  useEffect(() => virtual.measure(), [height, virtual]);
  const items = virtual.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  const { hasMore, loadMore, isLoadingMore } = rows;
  useEffect(() => {
    // Loads ahead, so that scrolling does not wait.
    const ahead = last > 60 ? 240 : 20;
    if (hasMore && last >= rows.rows.length - ahead) loadMore();
  }, [hasMore, last, loadMore, rows.rows.length]);

  // The open row is the current one, also after the page was loaded with it.
  const openIndex = useMemo(() => (openId === undefined ? -1 : order.indexOf(openId)), [openId, order]);
  useEffect(() => {
    if (openIndex >= 0) setCurrent(openIndex);
  }, [openIndex]);

  useListKeys({
    rows: rows.rows,
    order,
    current,
    selection: selected,
    selectable: bulk.length > 0,
    select: setSelection,
    move: (index) => {
      setCurrent(index);
      virtual.scrollToIndex(index, { align: 'auto' });
      const row = rows.rows[index];
      if (openId !== undefined && row !== undefined) open?.(row);
    },
    open: (row) => open?.(row),
  });

  if (rows.error !== null && rows.error !== undefined && rows.rows.length === 0) {
    return <ErrorState error={rows.error} retry={rows.retry} />;
  }
  // A search may have to look further for its first row.
  const isEmpty = rows.rows.length === 0 && !hasMore;
  if (!rows.isLoading && isEmpty) return <>{empty}</>;
  const template = columns.map(({ width }) => width).join(' ');
  return (
    <div className={styles.list} data-compact={isCompact || undefined}>
      {live === undefined || live.count === 0 ? null : (
        <button
          type="button"
          className={styles.fresh}
          onClick={() => {
            live.show();
            scroller.current?.scrollTo({ top: 0 });
          }}
        >
          {t('list:fresh', { count: live.count })}
        </button>
      )}
      <div
        ref={scroller}
        className={styles.scroller}
        role="grid"
        aria-label={label}
        aria-rowcount={hasMore ? -1 : rows.rows.length + 1}
        aria-multiselectable={bulk.length > 0}
        aria-activedescendant={
          current >= 0 && items.some(({ index }) => index === current) ? `${id}-${current}` : undefined
        }
        aria-busy={rows.isLoading}
        tabIndex={0}
        onScroll={({ currentTarget }) => {
          if (live !== undefined) live.isAtTop.current = currentTarget.scrollTop < height;
        }}
      >
        <div
          role="row"
          className={isCompact ? 'visually-hidden' : styles.head}
          style={{ gridTemplateColumns: template }}
        >
          {bulk.length === 0 ? null : (
            <span role="columnheader" className="visually-hidden">
              {t('list:selection')}
            </span>
          )}
          {columns.map((column) => (
            <span key={column.id} role="columnheader" className="cut" data-align={column.align}>
              {column.label}
            </span>
          ))}
        </div>
        {rows.isLoading || rows.rows.length === 0 ? (
          <Skeletons template={template} columns={columns.length} compact={isCompact} />
        ) : (
          <div role="rowgroup" className={styles.rows} style={{ height: virtual.getTotalSize() }}>
            {items.map(({ index, start, key }) => {
              const row = rows.rows[index];
              if (row === undefined) return null;
              return (
                <ListRow
                  key={key}
                  id={`${id}-${index}`}
                  index={index}
                  top={start}
                  height={height}
                  row={row}
                  columns={columns}
                  template={template}
                  compact={isCompact ? compact : undefined}
                  href={hrefOf === undefined ? undefined : `${hrefOf(row)}${search}`}
                  open={open === undefined ? undefined : openRow}
                  isCurrent={index === current}
                  isOpen={row.id === openId}
                  selection={bulk.length > 0 ? selected : undefined}
                  select={setSelection}
                  order={orderNow}
                />
              );
            })}
          </div>
        )}
      </div>
      <p className="visually-hidden" role="status">
        {isLoadingMore ? t('list:loading') : ''}
      </p>
      <BulkBar actions={bulk} rows={selectedRows} clear={() => setSelection(nothingSelected)} />
    </div>
  );
}

/** The value of the last drawing, in a place that stays the same: a row need not be drawn again because of it. */
function useLatest<Value>(value: Value): { readonly current: Value } {
  const latest = useRef(value);
  latest.current = value;
  return latest;
}

/** Rows of the right size while the first page is read. Nothing is shown for the first 150 ms. */
function Skeletons(props: { readonly template: string; readonly columns: number; readonly compact: boolean }) {
  const cells = props.compact ? 1 : props.columns;
  return (
    <div role="rowgroup" className={styles.skeletons}>
      {Array.from({ length: 14 }, (_, line) => (
        <div
          key={line}
          role="row"
          className={styles.skeleton}
          style={props.compact ? { height: compactHeight } : { gridTemplateColumns: props.template }}
        >
          {Array.from({ length: cells }, (_unused, cell) => (
            <span key={cell} role="gridcell">
              <Skeleton height={10} width={`${45 + ((line * 7 + cell * 23) % 40)}%`} />
            </span>
          ))}
        </div>
      ))}
    </div>
  );
}

const narrow = window.matchMedia('(max-width: 760px)');

export function useIsNarrow(): boolean {
  const [matches, setMatches] = useState(narrow.matches);
  useEffect(() => {
    const follow = (): void => setMatches(narrow.matches);
    narrow.addEventListener('change', follow);
    return () => narrow.removeEventListener('change', follow);
  }, []);
  return matches;
}
