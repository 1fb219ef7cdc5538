import { Link } from '@tanstack/react-router';
import styles from './page-tabs.module.css';

interface PageTabsProps {
  readonly label: string;
  readonly items: readonly {
    readonly to: string;
    readonly label: string;
    /** Not highlighted while a page below it is shown. */
    readonly exact?: boolean;
  }[];
}

/** The pages of one subject, below its title. */
export function PageTabs({ label, items }: PageTabsProps) {
  return (
    <nav className={styles.tabs} aria-label={label}>
      {items.map((item) => (
        <Link
          key={item.to}
          to={item.to}
          className={styles.tab}
          activeOptions={{ exact: item.exact === true, includeSearch: false }}
          activeProps={{ className: styles.current ?? '', 'aria-current': 'page' }}
        >
          {item.label}
        </Link>
      ))}
    </nav>
  );
}
