import { Button, Flex } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { CircleDot, Megaphone, SearchX, Users } from 'lucide-react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { answer, api } from '../../api/client';
import { useMay } from '../../api/session';
import type { Column } from '../../list/column';
import { FilterBar, useFilters, type Filter } from '../../list/filters';
import { List } from '../../list/list';
import { ListTools } from '../../list/list-tools';
import { useColumns } from '../../list/use-columns';
import { usePages } from '../../list/use-pages';
import section from '../../parts/layout.module.css';
import { useAdding } from '../../parts/use-adding';
import { Page } from '../../parts/page';
import { EmptyState } from '../../parts/states';
import { Countdown, Time } from '../../parts/time';
import { segmentsQuery } from '../audience/audience-queries';
import { statuses, useLiveBroadcasts, type BroadcastStatus, type BroadcastSummary } from './broadcast-queries';
import { BroadcastState } from './broadcast-state';
import styles from './broadcasts.module.css';
import { NewBroadcast } from './new-broadcast';
import { useReach, type Reach } from './use-reach';

const filterKeys = ['q', 'status', 'segment'];

export function BroadcastsPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const client = useQueryClient();
  const adding = useAdding('broadcasts:write', t('broadcasts:add'));
  const [values, change] = useFilters(filterKeys);
  const segments = useQuery({ ...segmentsQuery, enabled: useMay('audience:read') }).data ?? [];
  const rows = usePages<BroadcastSummary>(['broadcasts', values], async ({ limit, after, signal }) => {
    const { q, status, segment } = values;
    const query = { limit, after, q, status: status?.split(',') as BroadcastStatus[] | undefined };
    const page = await answer(api.GET('/broadcasts', { params: { query }, signal }));
    const data = page.data.filter((row) => segment === undefined || row.segment_id === segment);
    return { ...page, data, next: page.next ?? page.data.at(-1)?.id };
  });
  useLiveBroadcasts(() => {
    rows.refreshHead().catch(() => undefined);
    void client.invalidateQueries({ queryKey: ['broadcast-reach'] });
  });
  const reach = useReach();
  const nameOf = (id: string): string => segments.find((segment) => segment.id === id)?.name ?? '–';
  const filters: readonly Filter[] = [
    {
      key: 'status',
      label: t('broadcasts:state'),
      icon: CircleDot,
      choices: statuses.map((value) => ({ value, label: t(`broadcasts:status.${value}`) })),
    },
    {
      key: 'segment',
      label: t('broadcasts:audience'),
      icon: Users,
      choices: segments.map(({ id, name }) => ({ value: id, label: name })),
    },
  ];
  const columns = useColumns(
    'broadcasts',
    useMemo(
      (): readonly Column<BroadcastSummary>[] => [
        {
          id: 'name',
          label: t('broadcasts:name'),
          width: 'minmax(200px, 3fr)',
          fixed: true,
          cell: ({ name }) => name || <span className="quiet">{t('broadcasts:noName')}</span>,
          csv: ({ name }) => name,
        },
        {
          id: 'state',
          label: t('broadcasts:state'),
          width: '130px',
          cell: ({ state }) => <BroadcastState state={state} />,
          csv: ({ state }) => state,
        },
        {
          id: 'audience',
          label: t('broadcasts:audience'),
          width: 'minmax(130px, 2fr)',
          cell: ({ segment_id: id }) => nameOf(id),
          csv: ({ segment_id: id }) => nameOf(id),
        },
        {
          id: 'progress',
          label: t('broadcasts:progress'),
          width: 'minmax(170px, 2fr)',
          cell: ({ id, state }) => <Progress state={state} reach={reach.get(id)} />,
          csv: ({ id }) => String(reach.get(id)?.sent ?? ''),
        },
        ...(['openRate', 'clickRate'] as const).map((rate) => ({
          id: rate,
          label: t(`broadcasts:${rate}`),
          width: '90px',
          align: 'end' as const,
          cell: ({ id }: BroadcastSummary) => <Rate value={reach.get(id)?.[rate]} />,
          csv: ({ id }: BroadcastSummary) => String(reach.get(id)?.[rate] ?? ''),
        })),
        {
          id: 'when',
          label: t('broadcasts:when'),
          width: '130px',
          align: 'end',
          cell: (row) => <When broadcast={row} />,
          csv: (row) => row.sent_at ?? row.scheduled_at ?? row.created_at,
        },
      ],
      [t, segments, reach],
    ),
  );
  const isFiltered = Object.values(values).some((value) => value !== undefined);
  return (
    <Page title={t('broadcasts:title')} actions={adding.button}>
      <FilterBar filters={filters} values={values} change={change} search={t('broadcasts:search')}>
        <ListTools columns={columns} readPage={rows.readPage} fileName="broadcasts" />
      </FilterBar>
      <List
        label={t('broadcasts:title')}
        rows={rows}
        columns={columns.shown}
        compact={(row) => (
          <Flex component="span" direction="column" gap={2} miw={0}>
            <span className="cut">{row.name || t('broadcasts:noName')}</span>
            <span className={section.line}>
              <span className="quiet cut">{nameOf(row.segment_id)}</span>
              <BroadcastState state={row.state} plain />
            </span>
          </Flex>
        )}
        hrefOf={({ id }) => `/app/broadcasts/${id}`}
        open={({ id }) => void navigate({ to: `/app/broadcasts/${id}` })}
        empty={
          isFiltered ? (
            <EmptyState icon={SearchX} title={t('list:nothing.title')} text={t('list:nothing.text')}>
              <Button
                variant="default"
                onClick={() => change(Object.fromEntries(filterKeys.map((key) => [key, undefined])))}
              >
                {t('list:nothing.clear')}
              </Button>
            </EmptyState>
          ) : (
            <EmptyState icon={Megaphone} title={t('broadcasts:empty')} text={t('broadcasts:emptyText')}>
              {adding.button}
            </EmptyState>
          )
        }
      />
      <NewBroadcast opened={adding.opened} close={adding.close} segments={segments} />
    </Page>
  );
}

/** What a broadcast has come to, in one line. */
function Progress({ state, reach }: { readonly state: string; readonly reach: Reach | undefined }) {
  const { t, i18n } = useTranslation();
  if (state === 'draft' || state === 'scheduled' || reach === undefined) return <span className="quiet">–</span>;
  const { sent, delivered } = reach;
  const number = new Intl.NumberFormat(i18n.language);
  return (
    <span className={styles.reach}>
      <span className={styles.track} aria-hidden>
        <span style={{ width: `${sent === 0 ? 0 : (delivered / sent) * 100}%` }} />
      </span>
      <span className="tabular">{t('broadcasts:reach', { delivered: number.format(delivered) })}</span>
    </span>
  );
}

function Rate({ value }: { readonly value: number | undefined }) {
  const { i18n } = useTranslation();
  if (value === undefined) return <span className="quiet">–</span>;
  const percent = new Intl.NumberFormat(i18n.language, { style: 'percent', maximumFractionDigits: 1 });
  return <span className="tabular">{percent.format(value / 100)}</span>;
}

function When({ broadcast }: { readonly broadcast: BroadcastSummary }) {
  const { t } = useTranslation();
  const { state, scheduled_at: scheduled, sent_at: sent, created_at: created } = broadcast;
  if (state === 'scheduled' && scheduled !== null) {
    return <Countdown to={scheduled} ended={t('broadcasts:startsNow')} />;
  }
  return <Time at={sent ?? created} form="short" />;
}
