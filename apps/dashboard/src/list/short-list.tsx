import { Box, Button, Skeleton } from '@mantine/core';
import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Rows as PagedRows } from './use-pages';
import { Rows } from '../parts/section';
import { EmptyState, ErrorState } from '../parts/states';
import styles from './short-list.module.css';

interface ShortListProps<Row> {
  readonly rows: PagedRows<Row>;
  readonly icon: LucideIcon;
  readonly empty: string;
  readonly emptyText: string;
  readonly add: ReactNode | undefined;
  readonly row: (row: Row) => ReactNode;
  /** Above the rows, if there are some. */
  readonly head?: ReactNode;
}

/** Rows that are few and edited in place. Long lists use `<List>`. */
export function ShortList<Row>({ rows, icon, empty, emptyText, add, row, head }: ShortListProps<Row>) {
  const { t } = useTranslation();
  if (rows.error !== null && rows.rows.length === 0) return <ErrorState error={rows.error} retry={rows.retry} />;
  if (!rows.isLoading && rows.rows.length === 0) {
    return (
      <EmptyState icon={icon} title={empty} text={emptyText}>
        {add}
      </EmptyState>
    );
  }
  return (
    <div className={styles.list}>
      {head === undefined ? null : <Box mb={16}>{head}</Box>}
      {rows.isLoading ? <Skeleton height={160} /> : <Rows>{rows.rows.map(row)}</Rows>}
      {rows.hasMore ? (
        <Button variant="default" mt={12} loading={rows.isLoadingMore} onClick={rows.loadMore}>
          {t('list:more')}
        </Button>
      ) : null}
    </div>
  );
}
