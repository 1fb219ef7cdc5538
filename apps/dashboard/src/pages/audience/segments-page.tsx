import { useQueryClient } from '@tanstack/react-query';
import { Outlet, useNavigate } from '@tanstack/react-router';
import { Layers } from 'lucide-react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { answer, api } from '../../api/client';
import { Split } from '../../detail/split';
import type { Column } from '../../list/column';
import { List } from '../../list/list';
import { usePages } from '../../list/use-pages';
import { Amount } from '../../parts/amount';
import { usePathValues } from '../../parts/location';
import { useAdding } from '../../parts/use-adding';
import { EmptyState } from '../../parts/states';
import layout from '../../parts/layout.module.css';
import { Time } from '../../parts/time';
import { AudiencePage, AudienceTabs } from './audience-page';
import type { Segment } from './audience-queries';
import { SegmentForm } from './segment-form';

export function SegmentsPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const client = useQueryClient();
  const { segmentId } = usePathValues();
  const adding = useAdding('audience:write', t('audience:segments.add'));
  const rows = usePages<Segment>(['segments'], ({ limit, after, signal }) =>
    answer(api.GET('/segments', { params: { query: { limit, after } }, signal })),
  );
  const columns = useMemo(
    (): Column<Segment>[] => [
      {
        id: 'name',
        label: t('audience:segments.name'),
        width: 'minmax(200px, 3fr)',
        cell: ({ name }) => name,
      },
      {
        id: 'kind',
        label: t('audience:segments.kinds.label'),
        width: '130px',
        cell: ({ kind }) => t(`audience:segments.kinds.${kind}`),
      },
      {
        id: 'contacts',
        label: t('audience:segments.count.all_contacts'),
        width: '100px',
        align: 'end',
        cell: ({ contacts }) => <Amount value={contacts} />,
      },
      {
        id: 'added',
        label: t('audience:added'),
        width: '120px',
        align: 'end',
        cell: ({ created_at: at }) => <Time at={at} form="short" />,
      },
    ],
    [t],
  );
  return (
    <AudiencePage withoutTabs actions={segmentId === undefined ? adding.button : undefined}>
      <Split detail={segmentId === undefined ? undefined : <Outlet />}>
        <AudienceTabs />
        <List
          label={t('audience:segments.title')}
          rows={rows}
          columns={columns}
          compact={({ name, kind, contacts }) => (
            <span className={layout.line}>
              <span className="cut">{name}</span>
              <span className="quiet">
                {kind === 'filter' ? t('audience:segments.kinds.filter') : <Amount value={contacts} />}
              </span>
            </span>
          )}
          openId={segmentId}
          hrefOf={({ id }) => `/app/segments/${id}`}
          open={({ id }) => void navigate({ to: `/app/segments/${id}` })}
          empty={
            <EmptyState icon={Layers} title={t('audience:segments.empty')} text={t('audience:segments.emptyText')}>
              {adding.button}
            </EmptyState>
          }
        />
      </Split>
      <SegmentForm
        opened={adding.opened}
        close={adding.close}
        created={(id) => {
          void client.invalidateQueries({ queryKey: ['segments'] });
          void navigate({ to: `/app/segments/${id}` });
        }}
      />
    </AudiencePage>
  );
}
