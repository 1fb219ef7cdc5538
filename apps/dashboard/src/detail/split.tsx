import type { ReactNode } from 'react';
import styles from './split.module.css';

interface SplitProps {
  /** The list, with its filter bar. */
  readonly children: ReactNode;
  /** What is open; undefined for nothing. On a phone it covers the list. */
  readonly detail: ReactNode | undefined;
}

/** A list and, where something is open, its detail beside it. The list stays mounted, so that its position is kept. */
export function Split({ children, detail }: SplitProps) {
  return (
    <div className={styles.split} data-open={detail !== undefined || undefined}>
      <div className={styles.list}>{children}</div>
      {detail}
    </div>
  );
}
