import { Flex } from '@mantine/core';
import { Outlet, useNavigate } from '@tanstack/react-router';
import { Globe } from 'lucide-react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { answer, api, type Schema } from '../../api/client';
import { useLive } from '../../api/live';
import { Split } from '../../detail/split';
import type { Column } from '../../list/column';
import { List } from '../../list/list';
import { usePages } from '../../list/use-pages';
import { usePathValues } from '../../parts/location';
import { useAdding } from '../../parts/use-adding';
import { Page } from '../../parts/page';
import section from '../../parts/layout.module.css';
import { EmptyState } from '../../parts/states';
import { Time } from '../../parts/time';
import { AddDomain } from './add-domain';
import { DomainState } from './domain-state';
import { useRegions } from './use-regions';

type Domain = Schema<'DomainSummaryResponse'>;

export function DomainsPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { domainId } = usePathValues();
  const adding = useAdding('domains:write', t('domains:add.button'));
  const rows = usePages<Domain>(['domains'], ({ limit, after, signal }) =>
    answer(api.GET('/domains', { params: { query: { limit, after } }, signal })),
  );
  const hasRegions = useRegions().length > 0;
  useLive(({ type, data }) => {
    const types = (data.events ?? []) as readonly string[];
    if (type === 'ready' || type === 'reload' || types.some((each) => each.startsWith('domain.'))) void rows.retry();
  });
  const columns = useMemo(
    (): Column<Domain>[] => [
      { id: 'name', label: t('domains:column.name'), width: 'minmax(180px, 3fr)', cell: ({ name }) => name },
      {
        id: 'state',
        label: t('domains:column.state'),
        width: 'minmax(150px, 1fr)',
        cell: ({ state }) => <DomainState state={state} />,
      },
      ...(hasRegions
        ? [
            {
              id: 'region',
              label: t('domains:column.region'),
              width: 'minmax(90px, 1fr)',
              cell: ({ region }: Domain) => region,
            },
          ]
        : []),
      {
        id: 'tracking',
        label: t('domains:column.tracking'),
        width: 'minmax(110px, 1fr)',
        cell: (domain) => trackingOf(domain, t),
      },
      {
        id: 'added',
        label: t('domains:column.added'),
        width: '110px',
        align: 'end',
        cell: ({ created_at: at }) => <Time at={at} form="short" />,
      },
    ],
    [t, hasRegions],
  );
  return (
    <Page title={t('domains:title')} actions={domainId === undefined ? adding.button : undefined}>
      <Split detail={domainId === undefined ? undefined : <Outlet />}>
        <List
          label={t('domains:title')}
          rows={rows}
          columns={columns}
          compact={({ name, state, region }) => (
            <Flex component="span" direction="column" gap={2} miw={0}>
              <span className={section.line}>
                <span className="cut">{name}</span>
                <DomainState state={state} plain />
              </span>
              {hasRegions ? <span className="quiet cut">{region}</span> : null}
            </Flex>
          )}
          openId={domainId}
          hrefOf={({ id }) => `/app/domains/${id}`}
          open={({ id }) => void navigate({ to: `/app/domains/${id}` })}
          empty={
            <EmptyState icon={Globe} title={t('domains:empty.title')} text={t('domains:empty.text')}>
              {adding.button}
            </EmptyState>
          }
        />
      </Split>
      <AddDomain
        opened={adding.opened}
        close={adding.close}
        added={(id) => {
          rows.retry();
          void navigate({ to: `/app/domains/${id}` });
        }}
      />
    </Page>
  );
}

function trackingOf(domain: Domain, t: (key: string) => string): string {
  const on = [
    ...(domain.open_tracking ? [t('domains:opens')] : []),
    ...(domain.click_tracking ? [t('domains:clicks')] : []),
  ];
  return on.length === 0 ? '–' : on.join(', ');
}
