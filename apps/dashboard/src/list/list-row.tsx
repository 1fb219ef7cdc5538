import { Box, Checkbox } from '@mantine/core';
import { memo, type MouseEvent, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { extended, toggled, type Selection } from '../logic/selection';
import type { Column } from './column';
import styles from './list.module.css';

interface ListRowProps<Row> {
  readonly id: string;
  readonly index: number;
  readonly top: number;
  readonly height: number;
  readonly row: Row;
  readonly columns: readonly Column<Row>[];
  readonly template: string;
  readonly compact: ((row: Row) => ReactNode) | undefined;
  readonly href: string | undefined;
  readonly open: ((row: Row) => void) | undefined;
  readonly isCurrent: boolean;
  readonly isOpen: boolean;
  readonly selection: Selection | undefined;
  readonly select: (selection: Selection) => void;
  /** The ids of all rows, as they are when one is clicked. */
  readonly order: { readonly current: readonly string[] };
}

/** One row. A click anywhere opens it, shift extends the selection, and the first cell is a link for a new tab. */
export const ListRow = memo(Line) as typeof Line;

function Line<Row extends { readonly id: string }>(props: ListRowProps<Row>) {
  const { row, columns, compact, href, open, selection, order } = props;
  const { t } = useTranslation();
  const isSelected = selection?.ids.has(row.id) ?? false;
  const onClick = (event: MouseEvent): void => {
    if (event.defaultPrevented || event.metaKey || event.ctrlKey) return;
    if ((event.target as HTMLElement).closest('button, input, label') !== null) return;
    if (event.shiftKey && selection !== undefined) {
      event.preventDefault();
      props.select(extended(selection, row.id, order.current));
      return;
    }
    if (open === undefined) return;
    event.preventDefault();
    open(row);
  };
  const onCheck = (event: MouseEvent): void => {
    if (selection === undefined) return;
    props.select(event.shiftKey ? extended(selection, row.id, order.current) : toggled(selection, row.id));
  };
  const linked = (content: ReactNode, isFirst: boolean): ReactNode =>
    isFirst && href !== undefined ? (
      <a href={href} className={styles.link} tabIndex={-1}>
        {content}
      </a>
    ) : (
      content
    );
  return (
    <div
      id={props.id}
      role="row"
      aria-rowindex={props.index + 2}
      aria-selected={selection === undefined ? undefined : isSelected}
      className={styles.row}
      data-current={props.isCurrent || undefined}
      data-open={props.isOpen || undefined}
      data-selected={isSelected || undefined}
      data-opens={open === undefined ? undefined : true}
      style={{
        height: props.height,
        transform: `translateY(${props.top}px)`,
        gridTemplateColumns: compact === undefined ? props.template : 'minmax(0, 1fr)',
      }}
      onClick={onClick}
    >
      {selection === undefined || compact !== undefined ? null : (
        <span role="gridcell" className={styles.check}>
          <Checkbox
            checked={isSelected}
            onChange={() => undefined}
            onClick={onCheck}
            aria-label={t('list:select')}
            tabIndex={-1}
          />
        </span>
      )}
      {compact === undefined ? (
        columns.map((column, index) => (
          <span key={column.id} role="gridcell" className={styles.cell} data-align={column.align}>
            {linked(column.cell(row), index === 0)}
          </span>
        ))
      ) : (
        <Box role="gridcell" component="span" miw={0}>
          {linked(compact(row), true)}
        </Box>
      )}
    </div>
  );
}
