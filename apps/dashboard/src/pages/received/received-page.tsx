import { Button, Flex } from '@mantine/core';
import { Link, Outlet, useNavigate } from '@tanstack/react-router';
import { Inbox, Paperclip, User } from 'lucide-react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { answer, api, type Schema } from '../../api/client';
import { useLive } from '../../api/live';
import { Split } from '../../detail/split';
import type { Column } from '../../list/column';
import { FilterBar, useFilters } from '../../list/filters';
import { List } from '../../list/list';
import { ListTools } from '../../list/list-tools';
import { useColumns } from '../../list/use-columns';
import { usePages } from '../../list/use-pages';
import section from '../../parts/layout.module.css';
import { usePathValues } from '../../parts/location';
import { EmptyState } from '../../parts/states';
import { Time } from '../../parts/time';
import { ReceivedFrame, ReceivedTabs } from './received-tabs';
import { AuthenticationState } from './verdicts';

type Received = Schema<'ReceivedEmailSummaryResponse'>;

export function ReceivedPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { receivedId } = usePathValues();
  const [values, change] = useFilters(['from', 'thread_id']);
  const rows = usePages<Received>(['received', values], ({ limit, after, signal }) =>
    answer(
      api.GET('/emails/receiving', {
        params: { query: { limit, after, from: values.from, thread_id: values.thread_id } },
        signal,
      }),
    ),
  );
  useLive(({ data }) => {
    if (((data.events ?? []) as readonly string[]).includes('email.received')) void rows.refreshHead();
  });
  const columns = useColumns(
    'received',
    useMemo(
      (): Column<Received>[] => [
        {
          id: 'from',
          label: t('received:from'),
          width: 'minmax(180px, 2fr)',
          fixed: true,
          cell: ({ from }) => from,
          csv: ({ from }) => from,
        },
        {
          id: 'subject',
          label: t('received:subject'),
          width: 'minmax(200px, 3fr)',
          cell: (email) => (
            <span className={section.line}>
              <span className="cut">{email.subject || t('received:noSubject')}</span>
              {email.attachments.length === 0 ? null : (
                <Paperclip size={13} aria-label={t('received:files', { count: email.attachments.length })} />
              )}
            </span>
          ),
          csv: ({ subject }) => subject,
        },
        {
          id: 'for',
          label: t('received:for'),
          width: 'minmax(150px, 2fr)',
          cell: ({ received_for: to }) => <span className="quiet">{to.join(', ')}</span>,
          csv: ({ received_for: to }) => to.join(', '),
        },
        {
          id: 'sender',
          label: t('received:sender'),
          width: '140px',
          cell: (email) => <AuthenticationState email={email} />,
        },
        {
          id: 'at',
          label: t('received:at'),
          width: '100px',
          align: 'end',
          cell: ({ created_at: at }) => <Time at={at} form="short" />,
          csv: ({ created_at: at }) => at,
        },
      ],
      [t],
    ),
  );
  return (
    <ReceivedFrame>
      <Split detail={receivedId === undefined ? undefined : <Outlet />}>
        <ReceivedTabs />
        <FilterBar
          values={values}
          change={change}
          filters={[
            { key: 'from', label: t('received:from'), icon: User, placeholder: 'ada@customer.com' },
            { key: 'thread_id', label: t('received:thread'), icon: Inbox },
          ]}
        >
          <ListTools columns={columns} readPage={rows.readPage} fileName="received" />
        </FilterBar>
        <List
          label={t('received:messages')}
          rows={rows}
          columns={columns.shown}
          compact={(email) => (
            <Flex component="span" direction="column" gap={2} miw={0}>
              <span className={section.line}>
                <span className="cut">{email.from}</span>
                <span className="quiet">
                  <Time at={email.created_at} form="short" />
                </span>
              </span>
              <span className="quiet cut">{email.subject || t('received:noSubject')}</span>
            </Flex>
          )}
          openId={receivedId}
          hrefOf={({ id }) => `/app/received/${id}`}
          open={({ id }) => void navigate({ to: `/app/received/${id}`, search: (known: object) => known })}
          empty={
            <EmptyState icon={Inbox} title={t('received:empty')} text={t('received:emptyText')}>
              <Button component={Link} to="/app/domains" variant="default">
                {t('frame:nav.domains')}
              </Button>
            </EmptyState>
          }
        />
      </Split>
    </ReceivedFrame>
  );
}
