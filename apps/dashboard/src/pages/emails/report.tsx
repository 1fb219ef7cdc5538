import { MailWarning } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Schema } from '../../api/client';
import styles from './attempt.module.css';
import { Entry } from './entry';

/** A report that came back by mail after the email had been handed over. */
export function Report({ report }: { readonly report: Schema<'TraceReport'> }) {
  const { t } = useTranslation();
  return (
    <Entry
      icon={MailWarning}
      tone={report.effect === 'none' ? 'flat' : 'bad'}
      title={t('emails:story.report', { reporter: report.reporter ?? t('emails:story.someone') })}
      at={report.received_at}
    >
      {report.diagnostic === null ? null : <p className={styles.reply}>{report.diagnostic}</p>}
    </Entry>
  );
}
