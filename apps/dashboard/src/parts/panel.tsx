import { Box } from '@mantine/core';
import type { ReactNode } from 'react';
import styles from './panel.module.css';

interface PanelProps {
  readonly title?: string;
  /** One sentence about what is in it. */
  readonly text?: ReactNode;
  /** At the right of the title. */
  readonly aside?: ReactNode;
  readonly children?: ReactNode;
  /** Without padding, for tables. */
  readonly flush?: boolean;
}

/** A part of a page with a hairline around it. */
export function Panel({ title, text, aside, children, flush = false }: PanelProps) {
  return (
    <section className={styles.panel} aria-label={title}>
      {title === undefined ? null : (
        <header className={styles.header}>
          <div className={styles.heading}>
            <Box component="h2" fz={14} fw={600}>
              {title}
            </Box>
            {text === undefined ? null : <p className={styles.text}>{text}</p>}
          </div>
          {aside}
        </header>
      )}
      {children === undefined || children === null ? null : (
        <div className={flush ? styles.flush : styles.body} tabIndex={flush ? 0 : undefined}>
          {children}
        </div>
      )}
    </section>
  );
}

/** Names and values, one below the other. */
export function Facts({
  items,
}: {
  readonly items: readonly (readonly [name: string, value: ReactNode, isCode?: true])[];
}) {
  return (
    <dl className={styles.facts}>
      {items.map(([name, value, isCode]) => (
        <div key={name} className={styles.fact}>
          <dt>{isCode === true ? <code>{name}</code> : name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** One figure that is read at a glance. */
export function Figure(props: {
  readonly label: string;
  readonly value: ReactNode;
  readonly note?: ReactNode;
  readonly tone?: 'good' | 'wait' | 'bad';
}) {
  return (
    <div className={styles.figure} data-tone={props.tone}>
      <Box component="span" c="var(--text-3)" fz={12} fw={500}>
        {props.label}
      </Box>
      <span className={styles.figureValue}>{props.value}</span>
      {props.note === undefined ? null : <span className={styles.figureNote}>{props.note}</span>}
    </div>
  );
}

export function Figures({ children }: { readonly children: ReactNode }) {
  return <div className={styles.figures}>{children}</div>;
}

/** Panels below each other, as wide as they are read well. */
export function Stack({ children, wide = false }: { readonly children: ReactNode; readonly wide?: boolean }) {
  return (
    <div className={styles.stack} data-wide={wide || undefined}>
      {children}
    </div>
  );
}
