import { useQuery } from '@tanstack/react-query';
import { CircleCheck, CircleDashed, Clock } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { answer, api, type Schema } from '../../api/client';
import { Panel } from '../../parts/panel';
import { StatusBadge } from '../../parts/status-badge';
import { Table } from '../../parts/table';
import { Time } from '../../parts/time';

type Key = Schema<'DkimKeyResponse'>;

const looks = {
  signing: ['good', CircleCheck],
  published: ['info', Clock],
  retired: ['flat', CircleDashed],
} as const;

/** The DKIM keys of a domain, the retired ones included until their records may be removed. */
export function DomainKeys({ domainId }: { readonly domainId: string }) {
  const { t } = useTranslation();
  const keys = useQuery({
    queryKey: ['domain', domainId, 'keys'],
    queryFn: () => answer(api.GET('/domains/{id}/dkim', { params: { path: { id: domainId } } })),
  });
  if (keys.data === undefined) return null;
  return (
    <Panel title={t('domains:keys.title')} text={t('domains:keys.text')} flush>
      <Table<Key>
        label={t('domains:keys.title')}
        rows={keys.data.data}
        keyOf={({ id }) => id}
        columns={[
          { id: 'selector', label: t('domains:keys.selector'), cell: ({ selector }) => <code>{selector}</code> },
          { id: 'algorithm', label: t('domains:keys.algorithm'), cell: ({ algorithm }) => algorithm },
          {
            id: 'state',
            label: t('domains:column.state'),
            cell: ({ state }) => {
              const [tone, icon] = looks[state];
              return <StatusBadge tone={tone} icon={icon} label={t(`domains:keys.${state}`)} plain />;
            },
          },
          {
            id: 'created',
            label: t('domains:keys.created'),
            align: 'end',
            cell: ({ created_at: at }) => <Time at={at} form="short" />,
          },
        ]}
      />
    </Panel>
  );
}
