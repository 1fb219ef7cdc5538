import { Box } from '@mantine/core';
import type { ReactNode } from 'react';
import styles from './section.module.css';

interface SectionProps {
  readonly title: string;
  readonly text?: ReactNode;
  /** At the right of the title. */
  readonly action?: ReactNode;
  readonly children?: ReactNode;
}

/** A part of a page of settings: what it is at the top, what can be done with it below. */
export function Section({ title, text, action, children }: SectionProps) {
  return (
    <section className={styles.section}>
      <div className={styles.head}>
        <div>
          <Box component="h2" fz={15} fw={600}>
            {title}
          </Box>
          {text === undefined ? null : <p className={styles.text}>{text}</p>}
        </div>
        {action}
      </div>
      {children}
    </section>
  );
}

/** Rows of a section, such as sessions: what it is, and what can be done with it at the right. */
export function Rows({ children }: { readonly children: ReactNode }) {
  return <ul className={styles.rows}>{children}</ul>;
}

interface RowProps {
  readonly icon?: ReactNode;
  readonly title: ReactNode;
  readonly text?: ReactNode;
  readonly children?: ReactNode;
}

export function Row({ icon, title, text, children }: RowProps) {
  return (
    <li className={styles.row}>
      {icon === undefined ? null : <span className={styles.icon}>{icon}</span>}
      <div className={styles.what}>
        <div className={styles.name}>{title}</div>
        {text === undefined ? null : <div className={styles.text}>{text}</div>}
      </div>
      {children}
    </li>
  );
}
