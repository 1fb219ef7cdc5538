import { useTranslation } from 'react-i18next';
import { parseTime } from '../../logic/moments';
import type { Email } from './email-queries';
import styles from './headers.module.css';

/** The header fields as they are sent. */
export function Headers({ email }: { readonly email: Email }) {
  const { t } = useTranslation();
  const fields: readonly (readonly [string, string | undefined])[] = [
    ['From', email.from],
    ['To', email.to.join(', ')],
    ['Cc', email.cc?.join(', ')],
    ['Reply-To', email.reply_to?.join(', ')],
    ['Subject', email.subject],
    [
      'Date',
      parseTime(email.scheduled_at ?? email.created_at)
        .toUTCString()
        .replace('GMT', '+0000'),
    ],
    ['Message-ID', email.message_id],
  ];
  return (
    <div className={styles.headers} tabIndex={0} role="region" aria-label={t('emails:preview.headers')}>
      <dl>
        {fields.map(([name, value]) =>
          value === undefined || value === '' ? null : (
            <div key={name} className={styles.field}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
        )}
      </dl>
    </div>
  );
}
