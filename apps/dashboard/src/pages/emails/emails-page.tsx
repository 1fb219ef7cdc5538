import { Outlet, useNavigate } from '@tanstack/react-router';
import { Mail } from 'lucide-react';
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
import { EmailState } from '../../parts/email-state';
import { usePathValues } from '../../parts/location';
import { Page } from '../../parts/page';
import { EmptyState } from '../../parts/states';
import { Time } from '../../parts/time';

type Email = Schema<'EmailSummaryResponse'>;

export function EmailsPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { emailId } = usePathValues();
  const [values, change] = useFilters(['q']);
  const rows = usePages<Email>(['emails', values], ({ limit, after, signal }) =>
    answer(api.GET('/emails', { params: { query: { limit, after } }, signal })),
  );
  const columns = useColumns(
    'emails',
    useMemo(
      (): Column<Email>[] => [
        {
          id: 'to',
          label: t('emails:column.to'),
          width: 'minmax(160px, 2fr)',
          fixed: true,
          cell: ({ to }) => to[0],
          csv: ({ to }) => to.join(' '),
        },
        {
          id: 'state',
          label: t('emails:column.state'),
          width: '120px',
          cell: (row) => <EmailState state={row.last_event} />,
          csv: (row) => row.last_event,
        },
        {
          id: 'subject',
          label: t('emails:column.subject'),
          width: 'minmax(160px, 3fr)',
          cell: ({ subject }) => subject,
          csv: ({ subject }) => subject,
        },
        {
          id: 'sent',
          label: t('emails:column.sent'),
          width: '90px',
          align: 'end',
          cell: (row) => <Time at={row.created_at} form="short" />,
          csv: (row) => row.created_at,
        },
      ],
      [t],
    ),
  );
  return (
    <Page title={t('emails:title')}>
      <Split detail={emailId === undefined ? undefined : <Outlet />}>
        <FilterBar filters={[]} values={values} change={change} search={t('emails:search')}>
          <ListTools columns={columns} readPage={rows.readPage} fileName="emails" />
        </FilterBar>
        <List
          label={t('emails:title')}
          rows={rows}
          columns={columns.shown}
          compact={(row) => row.subject}
          openId={emailId}
          hrefOf={({ id }) => `/app/emails/${id}`}
          open={({ id }) => void navigate({ to: `/app/emails/${id}`, search: (known: object) => known })}
          empty={<EmptyState icon={Mail} title={t('emails:empty.title')} text={t('emails:empty.text')} />}
        />
      </Split>
    </Page>
  );
}
