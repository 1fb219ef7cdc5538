import { Button } from '@mantine/core';
import { Link, type ErrorComponentProps } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { ErrorState } from '../parts/states';
import styles from './trouble-pages.module.css';

export function NotFoundPage() {
  const { t } = useTranslation();
  return (
    <main className={styles.page}>
      <h1 className={styles.title}>{t('common:notFound.title')}</h1>
      <p className="quiet">{t('common:notFound.text')}</p>
      <Button component={Link} to="/app/emails" variant="default">
        {t('common:notFound.back')}
      </Button>
    </main>
  );
}

export function TroublePage({ error, reset }: ErrorComponentProps) {
  return (
    <main className={styles.page}>
      <ErrorState error={error} retry={reset} />
    </main>
  );
}

/** For inside the frame, which already has the `<main>`. */
export function TroublePane({ error, reset }: ErrorComponentProps) {
  return (
    <div className={styles.page}>
      <ErrorState error={error} retry={reset} />
    </div>
  );
}
