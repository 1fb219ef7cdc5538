import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import icon from '../../theme/icon.svg';
import { useTitle } from '../../parts/page';
import styles from './open-layout.module.css';

interface OpenLayoutProps {
  readonly title: string;
  readonly text?: ReactNode;
  readonly children?: ReactNode;
  /** Below the card: other ways. */
  readonly foot?: ReactNode;
}

/** A page for people who are not signed in: one question in the middle. */
export function OpenLayout({ title, text, children, foot }: OpenLayoutProps) {
  useTitle(title);
  return (
    <main className={styles.page}>
      <div className={styles.column}>
        <img src={icon} width={36} height={36} alt="Postrider" />
        <h1 className={styles.title}>{title}</h1>
        {text === undefined ? null : <p className={styles.text}>{text}</p>}
        {children}
        {foot === undefined ? null : (
          <Stack gap={8} mt={24} c="var(--text-3)" fz={13}>
            {foot}
          </Stack>
        )}
      </div>
    </main>
  );
}
