import { Box } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Column } from '../../list/column';
import { addressOf, nameOf } from '../../logic/mail-hosts';
import { EmailState } from '../../parts/email-state';
import { Time } from '../../parts/time';
import type { EmailSummary } from './email-queries';
import styles from './emails.module.css';

export function useEmailColumns(): readonly Column<EmailSummary>[] {
  const { t } = useTranslation();
  return useMemo(
    () => [
      {
        id: 'to',
        label: t('emails:column.to'),
        width: 'minmax(170px, 2fr)',
        fixed: true,
        cell: (row) => <Recipients email={row} />,
        csv: ({ to, cc, bcc }) => [...to, ...(cc ?? []), ...(bcc ?? [])].join(', '),
      },
      {
        id: 'state',
        label: t('emails:column.state'),
        width: '120px',
        cell: (row) => <EmailState state={row.last_event} />,
        csv: (row) => row.last_event,
      },
      {
        id: 'subject',
        label: t('emails:column.subject'),
        width: 'minmax(180px, 3fr)',
        cell: ({ subject }) => (
          <Box component="span" c="var(--text-2)">
            {subject || t('emails:noSubject')}
          </Box>
        ),
        csv: ({ subject }) => subject,
      },
      {
        id: 'from',
        label: t('emails:column.from'),
        width: 'minmax(120px, 1fr)',
        optional: true,
        cell: ({ from }) => <span className="quiet">{addressOf(from)}</span>,
        csv: ({ from }) => from,
      },
      {
        id: 'id',
        label: t('emails:column.id'),
        width: '110px',
        optional: true,
        cell: ({ id }) => <span className="mono quiet">{id.slice(0, 13)}</span>,
      },
      {
        id: 'sent',
        label: t('emails:column.sent'),
        width: '80px',
        align: 'end',
        cell: (row) => (
          <span className="quiet">
            <Time at={row.created_at} form="short" />
          </span>
        ),
        csv: (row) => row.created_at,
      },
    ],
    [t],
  );
}

/** The first recipient, and how many others there are. */
export function Recipients({ email }: { readonly email: EmailSummary }) {
  const { t } = useTranslation();
  const { to, cc, bcc } = email;
  const others = to.length + (cc?.length ?? 0) + (bcc?.length ?? 0) - 1;
  const first = to[0] ?? '';
  const name = nameOf(first);
  return (
    <span className={styles.recipient}>
      <span className="cut">
        {name}
        {name === addressOf(first) ? null : <span className="quiet"> {addressOf(first)}</span>}
      </span>
      {others > 0 ? <span className={styles.others}>{t('emails:moreRecipients', { count: others })}</span> : null}
    </span>
  );
}
