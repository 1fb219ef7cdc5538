import { Flex } from '@mantine/core';
import { Outlet, useNavigate } from '@tanstack/react-router';
import { MonitorSmartphone, ScrollText, TriangleAlert, Workflow } from 'lucide-react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { answer, api, type Schema } from '../../api/client';
import { Split } from '../../detail/split';
import type { Column } from '../../list/column';
import { FilterBar, useFilters } from '../../list/filters';
import { List } from '../../list/list';
import { ListTools } from '../../list/list-tools';
import { useColumns } from '../../list/use-columns';
import { usePages } from '../../list/use-pages';
import { HttpStatus } from '../../parts/http-status';
import { usePathValues } from '../../parts/location';
import { Page } from '../../parts/page';
import section from '../../parts/layout.module.css';
import { EmptyState } from '../../parts/states';
import { Time } from '../../parts/time';

type Log = Schema<'RequestLogSummaryResponse'>;
const methods = ['GET', 'POST', 'PATCH', 'DELETE'];
const statuses = ['2xx', '4xx', '5xx'];
const origins = ['dashboard', 'all'];

/** Without a choice: what programs asked. What people do in these pages would fill the list. */
function originOf(chosen: string | undefined): 'api' | 'dashboard' | undefined {
  if (chosen === 'all') return undefined;
  return chosen === 'dashboard' ? 'dashboard' : 'api';
}

export function LogsPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { logId } = usePathValues();
  const [values, change] = useFilters(['status', 'method', 'origin']);
  const rows = usePages<Log>(['logs', values], ({ limit, after, signal }) =>
    answer(
      api.GET('/logs', {
        params: {
          query: { limit, after, status: values.status, method: values.method, origin: originOf(values.origin) },
        },
        signal,
      }),
    ),
  );
  const columns = useColumns(
    'logs',
    useMemo(
      (): Column<Log>[] => [
        {
          id: 'endpoint',
          label: t('logs:column.endpoint'),
          width: 'minmax(200px, 3fr)',
          fixed: true,
          cell: ({ method, endpoint }) => (
            <code>
              {method} {endpoint}
            </code>
          ),
          csv: ({ method, endpoint }) => `${method} ${endpoint}`,
        },
        {
          id: 'status',
          label: t('logs:column.status'),
          width: '100px',
          cell: (log) => <HttpStatus status={log.response_status} />,
          csv: (log) => String(log.response_status),
        },
        {
          id: 'agent',
          label: t('logs:column.agent'),
          width: 'minmax(140px, 2fr)',
          cell: (log) => <span className="quiet">{log.user_agent ?? '–'}</span>,
          csv: (log) => log.user_agent ?? '',
        },
        {
          id: 'at',
          label: t('logs:column.at'),
          width: '120px',
          align: 'end',
          cell: (log) => <Time at={log.created_at} />,
          csv: (log) => log.created_at,
        },
      ],
      [t],
    ),
  );
  return (
    <Page title={t('logs:title')}>
      <Split detail={logId === undefined ? undefined : <Outlet />}>
        <FilterBar
          values={values}
          change={change}
          filters={[
            {
              key: 'status',
              label: t('logs:column.status'),
              icon: TriangleAlert,
              choices: statuses.map((status) => ({ value: status, label: t(`logs:status.${status}`) })),
            },
            {
              key: 'method',
              label: t('logs:column.method'),
              icon: Workflow,
              choices: methods.map((method) => ({ value: method, label: method })),
            },
            {
              key: 'origin',
              label: t('logs:origin.label'),
              icon: MonitorSmartphone,
              choices: origins.map((origin) => ({ value: origin, label: t(`logs:origin.${origin}`) })),
            },
          ]}
        >
          <ListTools columns={columns} readPage={rows.readPage} fileName="logs" />
        </FilterBar>
        <List
          label={t('logs:title')}
          rows={rows}
          columns={columns.shown}
          compact={(log) => (
            <Flex component="span" direction="column" gap={2} miw={0}>
              <code className="cut">
                {log.method} {log.endpoint}
              </code>
              <span className={section.line}>
                <span className="quiet">
                  <Time at={log.created_at} />
                </span>
                <HttpStatus status={log.response_status} plain />
              </span>
            </Flex>
          )}
          openId={logId}
          hrefOf={({ id }) => `/app/logs/${id}`}
          open={({ id }) => void navigate({ to: `/app/logs/${id}`, search: (known: object) => known })}
          empty={<EmptyState icon={ScrollText} title={t('logs:empty.title')} text={t('logs:empty.text')} />}
        />
      </Split>
    </Page>
  );
}
