import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { fieldsOf } from '../../logic/header-fields';
import { ErrorState } from '../../parts/states';
import { sourceQuery } from './email-queries';
import styles from './headers.module.css';

/** The header fields as they are sent. */
export function Headers({ emailId }: { readonly emailId: string }) {
  const { t } = useTranslation();
  const raw = useQuery(sourceQuery(emailId));
  if (raw.error !== null) return <ErrorState error={raw.error} retry={() => void raw.refetch()} />;
  return (
    <div className={styles.headers} tabIndex={0} role="region" aria-label={t('emails:preview.headers')}>
      <dl>
        {fieldsOf(raw.data?.header ?? '').map(([name, value], index) => (
          <div key={index} className={styles.field}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
