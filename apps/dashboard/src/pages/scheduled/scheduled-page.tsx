import { Outlet, useNavigate } from '@tanstack/react-router';
import { CalendarClock } from 'lucide-react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { answer, api } from '../../api/client';
import { Split } from '../../detail/split';
import type { Column } from '../../list/column';
import { FilterBar, useFilters } from '../../list/filters';
import { List } from '../../list/list';
import { useLiveRows } from '../../list/use-live-rows';
import { usePages } from '../../list/use-pages';
import { usePathValues } from '../../parts/location';
import { Page } from '../../parts/page';
import { EmptyState } from '../../parts/states';
import { Countdown, Time } from '../../parts/time';
import { useBulkActions } from '../emails/bulk-actions';
import { Recipients } from '../emails/email-columns';
import { EmailLine } from '../emails/email-line';
import type { EmailSummary } from '../emails/email-queries';
import { WriteLink } from '../emails/write-link';

/** Emails that wait for their time. */
export function ScheduledPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { emailId } = usePathValues();
  const [values, change] = useFilters(['q']);
  const rows = usePages<EmailSummary>(['emails', 'scheduled', values], ({ limit, after, signal }) =>
    answer(api.GET('/emails', { params: { query: { limit, after, q: values.q, status: ['scheduled'] } }, signal })),
  );
  const live = useLiveRows(rows, {
    rowsOf: ({ type, data }) => (type === 'emails' ? (data.emails as readonly EmailSummary[]) : undefined),
    rereads: ({ type }) => type === 'ready' || type === 'changed' || type === 'reload',
    accepts: ({ last_event }) => last_event === 'scheduled',
  });
  const bulk = useBulkActions();
  const columns = useMemo(
    (): readonly Column<EmailSummary>[] => [
      {
        id: 'to',
        label: t('emails:column.to'),
        width: 'minmax(170px, 2fr)',
        fixed: true,
        cell: (row) => <Recipients email={row} />,
      },
      {
        id: 'subject',
        label: t('emails:column.subject'),
        width: 'minmax(180px, 3fr)',
        cell: ({ subject }) => subject || t('emails:noSubject'),
      },
      {
        id: 'at',
        label: t('emails:column.goes'),
        width: '230px',
        cell: ({ scheduled_at }) => (scheduled_at === null ? null : <Time at={scheduled_at} form="exact" />),
      },
      {
        id: 'in',
        label: t('emails:column.left'),
        width: '120px',
        align: 'end',
        cell: ({ scheduled_at }) =>
          scheduled_at === null ? null : (
            <span className="quiet">
              <Countdown to={scheduled_at} ended={t('emails:waiting.now')} />
            </span>
          ),
      },
    ],
    [t],
  );
  return (
    <Page title={t('emails:scheduled.title')} actions={emailId === undefined ? <WriteLink /> : undefined}>
      <Split detail={emailId === undefined ? undefined : <Outlet />}>
        <FilterBar filters={[]} values={values} change={change} search={t('emails:search')} />
        <List
          label={t('emails:scheduled.title')}
          rows={rows}
          columns={columns}
          compact={(row) => <EmailLine email={row} at={row.scheduled_at} />}
          openId={emailId}
          hrefOf={({ id }) => `/app/scheduled/${id}`}
          open={({ id }) => void navigate({ to: `/app/scheduled/${id}`, search: (known: object) => known })}
          bulk={bulk}
          live={live}
          empty={
            <EmptyState
              icon={CalendarClock}
              title={t('emails:scheduled.empty')}
              text={t('emails:scheduled.emptyText').replaceAll('`', '')}
            />
          }
        />
      </Split>
    </Page>
  );
}
