import { Box } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { EmailState } from '../../parts/email-state';
import { Time } from '../../parts/time';
import { Recipients } from './email-columns';
import type { EmailSummary } from './email-queries';
import styles from './emails.module.css';

interface EmailLineProps {
  readonly email: EmailSummary;
  /** The time that is told. Without it, when the email was accepted. */
  readonly at?: string | null;
}

/** An email in two lines, for a narrow list. */
export function EmailLine({ email, at }: EmailLineProps) {
  const { t } = useTranslation();
  return (
    <span className={styles.line}>
      <span className={styles.upper}>
        <Recipients email={email} />
        <Box component="span" flex="none" c="var(--text-3)" fz={12}>
          <Time at={at ?? email.created_at} form="short" />
        </Box>
      </span>
      <span className={styles.lower}>
        <span className="cut quiet">{email.subject || t('emails:noSubject')}</span>
        <EmailState state={email.last_event} plain />
      </span>
    </span>
  );
}
