import { Box, Button } from '@mantine/core';
import { CircleAlert, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText } from './error-text';
import styles from './states.module.css';

interface EmptyStateProps {
  readonly icon: LucideIcon;
  readonly title: string;
  /** What would be here. */
  readonly text?: string;
  /** How to make the first one: a button, or code to copy. */
  readonly children?: ReactNode;
}

export function EmptyState({ icon: Icon, title, text, children }: EmptyStateProps) {
  return (
    <div className={styles.state}>
      <span className={styles.icon}>
        <Icon size={20} strokeWidth={1.7} aria-hidden />
      </span>
      <Box component="h2" fz={15} fw={600}>
        {title}
      </Box>
      {text === undefined ? null : <p className={styles.text}>{text}</p>}
      {children}
    </div>
  );
}

interface ErrorStateProps {
  readonly error: unknown;
  readonly retry?: () => void;
}

/** What happened and what to do, in the place of what should have been there. */
export function ErrorState({ error, retry }: ErrorStateProps) {
  const { t } = useTranslation();
  const { title, text } = errorText(error);
  return (
    <div className={styles.state} role="alert">
      <span className={`${styles.icon} ${styles.bad}`}>
        <CircleAlert size={20} strokeWidth={1.7} aria-hidden />
      </span>
      <Box component="h2" fz={15} fw={600}>
        {title}
      </Box>
      <p className={styles.text}>{text}</p>
      {retry === undefined ? null : (
        <Button variant="default" onClick={retry}>
          {t('common:tryAgain')}
        </Button>
      )}
    </div>
  );
}
