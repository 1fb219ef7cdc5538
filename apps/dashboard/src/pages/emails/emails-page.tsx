import { Navigate, Outlet, useNavigate } from '@tanstack/react-router';
import { Mail, SearchX } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '@mantine/core';
import { answer, api } from '../../api/client';
import { Split } from '../../detail/split';
import { FilterBar, useFilters, type FilterValues } from '../../list/filters';
import { List } from '../../list/list';
import { ListTools } from '../../list/list-tools';
import { useColumns } from '../../list/use-columns';
import { useLiveRows } from '../../list/use-live-rows';
import { usePages } from '../../list/use-pages';
import { usePathValues } from '../../parts/location';
import { Page } from '../../parts/page';
import { EmptyState } from '../../parts/states';
import { useBulkActions } from './bulk-actions';
import { useEmailColumns } from './email-columns';
import { WriteLink } from './write-link';
import { EmailLine } from './email-line';
import type { EmailSummary } from './email-queries';
import { filterKeys, useEmailFilters } from './email-filters';

export function EmailsPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { emailId } = usePathValues();
  const [values, change] = useFilters(filterKeys);
  const filters = useEmailFilters();
  const rows = usePages<EmailSummary>(['emails', values], ({ limit, after, signal }) =>
    answer(api.GET('/emails', { params: { query: { limit, after, ...queryOf(values) } }, signal })),
  );
  const isFiltered = Object.values(values).some((value) => value !== undefined);
  const live = useLiveRows(rows, {
    rowsOf: ({ type, data }) => (type === 'emails' ? (data.emails as readonly EmailSummary[]) : undefined),
    rereads: ({ type }) => type === 'ready' || type === 'changed' || type === 'reload',
  });
  const columns = useColumns('emails', useEmailColumns());
  const bulk = useBulkActions();
  const clear = (): void => change(Object.fromEntries(filterKeys.map((key) => [key, undefined])));
  const isNew = !isFiltered && !rows.isLoading && !rows.hasMore && rows.rows.length === 0 && rows.error === null;
  if (isNew && emailId === undefined) return <Navigate to="/app/start" replace />;
  return (
    <Page title={t('emails:title')} actions={emailId === undefined ? <WriteLink /> : undefined}>
      <Split detail={emailId === undefined ? undefined : <Outlet />}>
        <FilterBar filters={filters} values={values} change={change} search={t('emails:search')}>
          <ListTools columns={columns} readPage={rows.readPage} fileName="emails" />
        </FilterBar>
        <List
          label={t('emails:title')}
          rows={rows}
          columns={columns.shown}
          compact={(row) => <EmailLine email={row} />}
          openId={emailId}
          hrefOf={({ id }) => `/app/emails/${id}`}
          open={({ id }) => void navigate({ to: `/app/emails/${id}`, search: (known: object) => known })}
          bulk={bulk}
          live={live}
          empty={
            isFiltered ? (
              <EmptyState icon={SearchX} title={t('list:nothing.title')} text={t('emails:nothing')}>
                <Button variant="default" onClick={clear}>
                  {t('list:nothing.clear')}
                </Button>
              </EmptyState>
            ) : (
              <EmptyState icon={Mail} title={t('emails:empty.title')} text={t('emails:empty.text')} />
            )
          }
        />
      </Split>
    </Page>
  );
}

function queryOf({ status, domain_id, api_key_id, ...others }: FilterValues) {
  return {
    ...others,
    // Several are separated by commas.
    status: status?.split(',') as never,
    domain_id: domain_id?.split(','),
    api_key_id: api_key_id?.split(','),
  };
}
