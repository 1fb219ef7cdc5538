import { useEffect, type ReactNode } from 'react';
import styles from './page.module.css';

interface PageProps {
  readonly title: string;
  /** Beside the title, such as a count. */
  readonly aside?: ReactNode;
  /** At the right: one main action, and quiet ones before it. */
  readonly actions?: ReactNode;
  /** The content scrolls by itself where it is not a list. */
  readonly scroll?: boolean;
  readonly children: ReactNode;
}

/** A page: a title line with its one main action at the right, then the content. */
export function Page({ title, aside, actions, scroll = false, children }: PageProps) {
  useTitle(title);
  return (
    <div className={styles.page}>
      <header className={styles.header}>
        <h1 className={styles.title}>{title}</h1>
        {aside}
        <div className={styles.actions}>{actions}</div>
      </header>
      {scroll ? <div className={styles.scroll}>{children}</div> : children}
    </div>
  );
}

/** The title of the browser's tab. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Postrider`;
  }, [title]);
}
