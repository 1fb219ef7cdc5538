import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { answer, api, type Schema } from '../../api/client';
import { Confirm } from '../../parts/confirm';

interface DeleteDomainProps {
  readonly domain: Schema<'DomainResponse'>;
  readonly opened: boolean;
  readonly close: () => void;
  readonly deleted: () => void;
}

const weekMs = 7 * 86_400_000;

/** Says what a deletion would end, before it is done: scheduled mail, and mail that was sent in the last days. */
export function DeleteDomain({ domain, opened, close, deleted }: DeleteDomainProps) {
  const { t } = useTranslation();
  const { id, name } = domain;
  const loss = useQuery({ queryKey: ['domain', id, 'loss'], queryFn: () => lossOf(id), enabled: opened, staleTime: 0 });
  return (
    <Confirm
      opened={opened}
      close={close}
      title={t('domains:delete.title', { name })}
      action={t('domains:delete.button')}
      typed={name}
      run={async () => {
        await answer(api.DELETE('/domains/{id}', { params: { path: { id } } }));
        deleted();
      }}
    >
      <p>{t('domains:delete.text')}</p>
      {loss.data === undefined ? null : (
        <ul style={{ listStyle: 'disc', paddingInlineStart: 20 }}>
          <li>{t('domains:delete.scheduled', { count: loss.data.scheduled, more: loss.data.isMore ? '+' : '' })}</li>
          <li>{t('domains:delete.sent', { count: loss.data.sent })}</li>
          <li>{t('domains:delete.records')}</li>
        </ul>
      )}
    </Confirm>
  );
}

async function lossOf(domainId: string): Promise<{ sent: number; scheduled: number; isMore: boolean }> {
  const start = new Date(Date.now() - weekMs).toISOString();
  const [metrics, scheduled] = await Promise.all([
    answer(
      api.GET('/emails/metrics', {
        params: { query: { start_date: start, metrics: ['sent'], domain_id: [domainId] } },
      }),
    ),
    answer(api.GET('/emails', { params: { query: { status: ['scheduled'], domain_id: [domainId], limit: 100 } } })),
  ]);
  const { sent = 0 } = metrics.totals as { sent?: number };
  return { sent, scheduled: scheduled.data.length, isMore: scheduled.has_more };
}
