import { Ban, CalendarX2, Copy } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { answer, api } from '../../api/client';
import { queryClient } from '../../api/query-client';
import { useMay } from '../../api/session';
import type { BulkAction } from '../../list/column';
import { addressOf } from '../../logic/mail-hosts';
import { say } from '../../parts/say';
import type { EmailSummary } from './email-queries';

const failed = new Set(['bounced', 'complained', 'failed']);

export function useBulkActions(): readonly BulkAction<EmailSummary>[] {
  const { t } = useTranslation();
  const mayWrite = useMay('emails:write');
  const maySuppress = useMay('suppressions:write');
  return [
    {
      id: 'copy',
      label: t('emails:bulk.copy'),
      icon: <Copy size={14} aria-hidden />,
      run: async (emails) => {
        await navigator.clipboard.writeText(addressesOf(emails).join('\n'));
        say(t('emails:bulk.copied', { count: emails.length }));
      },
    },
    ...(maySuppress
      ? [
          {
            id: 'suppress',
            label: t('emails:bulk.suppress'),
            icon: <Ban size={14} aria-hidden />,
            accepts: ({ last_event }: EmailSummary) => failed.has(last_event),
            run: async (emails: readonly EmailSummary[]) => {
              const addresses = addressesOf(emails);
              await answer(api.POST('/suppressions/batch/add', { body: { emails: addresses } as never }));
              say(t('emails:bulk.suppressed', { count: addresses.length }));
            },
          },
        ]
      : []),
    ...(mayWrite
      ? [
          {
            id: 'cancel',
            label: t('emails:bulk.cancel'),
            icon: <CalendarX2 size={14} aria-hidden />,
            dangerous: true,
            accepts: ({ last_event }: EmailSummary) => last_event === 'scheduled',
            run: async (emails: readonly EmailSummary[]) => {
              for (const { id } of emails) await answer(api.POST('/emails/{id}/cancel', { params: { path: { id } } }));
              say(t('emails:bulk.canceled', { count: emails.length }));
              await queryClient.invalidateQueries({ queryKey: ['emails'] });
            },
          },
        ]
      : []),
  ];
}

function addressesOf(emails: readonly EmailSummary[]): string[] {
  return [...new Set(emails.flatMap(({ to, cc, bcc }) => [...to, ...(cc ?? []), ...(bcc ?? [])]).map(addressOf))];
}
