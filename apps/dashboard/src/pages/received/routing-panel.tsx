import { useQuery } from '@tanstack/react-query';
import { CircleCheck, CircleX } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { answer, api, type Schema } from '../../api/client';
import { Panel } from '../../parts/panel';
import { StatusBadge } from '../../parts/status-badge';
import { Table } from '../../parts/table';
import { Time } from '../../parts/time';

type Result = Schema<'RoutingResultResponse'>;

/** What the routes did with a message. */
export function RoutingPanel({ emailId }: { readonly emailId: string }) {
  const { t } = useTranslation();
  const results = useQuery({
    queryKey: ['received-one', emailId, 'routing'],
    queryFn: () => answer(api.GET('/emails/receiving/{id}/routing', { params: { path: { id: emailId } } })),
  });
  const rows = (results.data?.data ?? []).map((row, index) => ({ ...row, key: String(index) }));
  if (rows.length === 0) return null;
  return (
    <Panel title={t('received:routing.title')} flush>
      <Table<Result & { readonly key: string }>
        label={t('received:routing.title')}
        rows={rows}
        keyOf={({ key }) => key}
        columns={[
          {
            id: 'action',
            label: t('received:routing.action'),
            cell: ({ action }) => t(`received:action.${action}`),
          },
          { id: 'target', label: t('received:routing.target'), cell: ({ target }) => <code>{target}</code> },
          {
            id: 'outcome',
            label: t('received:routing.outcome'),
            cell: ({ outcome, detail }) => (
              <>
                <StatusBadge
                  tone={outcome === 'done' ? 'good' : 'bad'}
                  icon={outcome === 'done' ? CircleCheck : CircleX}
                  label={t(`received:routing.${outcome}`)}
                  plain
                />
                {detail === null ? null : <div className="quiet">{detail}</div>}
              </>
            ),
          },
          {
            id: 'at',
            label: t('received:at'),
            align: 'end',
            cell: ({ created_at: at }) => <Time at={at} form="short" />,
          },
        ]}
      />
    </Panel>
  );
}
