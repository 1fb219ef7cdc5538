import { Button, Flex } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, Outlet, useNavigate } from '@tanstack/react-router';
import { Layers, Upload, UserMinus, UserPlus, Users } from 'lucide-react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { answer, api } from '../../api/client';
import { useMay } from '../../api/session';
import { Split } from '../../detail/split';
import type { BulkAction, Column } from '../../list/column';
import { FilterBar, useFilters } from '../../list/filters';
import { List } from '../../list/list';
import { ListTools } from '../../list/list-tools';
import { useColumns } from '../../list/use-columns';
import { usePages } from '../../list/use-pages';
import section from '../../parts/layout.module.css';
import { usePathValues } from '../../parts/location';
import { say } from '../../parts/say';
import { useAdding } from '../../parts/use-adding';
import { EmptyState } from '../../parts/states';
import { Time } from '../../parts/time';
import { AudiencePage, AudienceTabs } from './audience-page';
import { nameOfContact, segmentsQuery, type Contact } from './audience-queries';
import { ContactForm } from './contact-form';
import { ContactState } from './contact-state';

export function ContactsPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const client = useQueryClient();
  const mayWrite = useMay('audience:write');
  const { contactId } = usePathValues();
  const adding = useAdding('audience:write', t('audience:contacts.add'));
  const [values, change] = useFilters(['q', 'segment']);
  const segments = useQuery(segmentsQuery);
  const rows = usePages<Contact>(['contacts', values], ({ limit, after, signal }) =>
    answer(
      api.GET('/contacts', {
        params: { query: { limit, after, search: values.q, segment_id: values.segment } },
        signal,
      }),
    ),
  );
  const changed = (): void => void client.invalidateQueries({ queryKey: ['contacts'] });
  const columns = useColumns(
    'contacts',
    useMemo(
      (): Column<Contact>[] => [
        {
          id: 'email',
          label: t('audience:contacts.email'),
          width: 'minmax(200px, 3fr)',
          fixed: true,
          cell: ({ email }) => email,
          csv: ({ email }) => email,
        },
        {
          id: 'name',
          label: t('audience:contacts.name'),
          width: 'minmax(140px, 2fr)',
          cell: (contact) => nameOfContact(contact) || <span className="quiet">–</span>,
          csv: nameOfContact,
        },
        {
          id: 'state',
          label: t('audience:contacts.state'),
          width: '150px',
          cell: (contact) => <ContactState contact={contact} />,
          csv: ({ unsubscribed }) => (unsubscribed ? 'unsubscribed' : 'subscribed'),
        },
        {
          id: 'added',
          label: t('audience:added'),
          width: '110px',
          align: 'end',
          cell: ({ created_at: at }) => <Time at={at} form="short" />,
          csv: ({ created_at: at }) => at,
        },
      ],
      [t],
    ),
  );
  const subscribe = (unsubscribed: boolean): BulkAction<Contact>['run'] => {
    return async (chosen) => {
      for (const { id } of chosen) {
        await answer(
          api.PATCH('/contacts/{idOrEmail}', { params: { path: { idOrEmail: id } }, body: { unsubscribed } }),
        );
      }
      say(
        t(unsubscribed ? 'audience:contacts.unsubscribed' : 'audience:contacts.subscribed', { count: chosen.length }),
      );
      changed();
    };
  };
  const bulk: BulkAction<Contact>[] = [
    {
      id: 'unsubscribe',
      label: t('audience:contacts.unsubscribe'),
      icon: <UserMinus size={14} aria-hidden />,
      accepts: ({ unsubscribed }) => !unsubscribed,
      run: subscribe(true),
    },
    {
      id: 'subscribe',
      label: t('audience:contacts.subscribe'),
      icon: <UserPlus size={14} aria-hidden />,
      accepts: ({ unsubscribed }) => unsubscribed,
      run: subscribe(false),
    },
  ];
  const upload = (
    <Button
      variant="default"
      component={Link}
      to="/app/imports"
      search={{ add: '1' } as never}
      leftSection={<Upload size={14} aria-hidden />}
    >
      {t('audience:imports.button')}
    </Button>
  );
  return (
    <AudiencePage
      withoutTabs
      actions={
        mayWrite && contactId === undefined ? (
          <>
            {upload}
            {adding.button}
          </>
        ) : undefined
      }
    >
      <Split detail={contactId === undefined ? undefined : <Outlet />}>
        <AudienceTabs />
        <FilterBar
          search={t('audience:contacts.search')}
          values={values}
          change={change}
          filters={[
            {
              key: 'segment',
              label: t('audience:segments.one'),
              icon: Layers,
              choices: (segments.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
            },
          ]}
        >
          <ListTools columns={columns} readPage={rows.readPage} fileName="contacts" />
        </FilterBar>
        <List
          label={t('audience:contacts.title')}
          rows={rows}
          columns={columns.shown}
          compact={(contact) => (
            <Flex component="span" direction="column" gap={2} miw={0}>
              <span className="cut">{contact.email}</span>
              <span className={section.line}>
                <span className="quiet cut">{nameOfContact(contact)}</span>
                <ContactState contact={contact} plain />
              </span>
            </Flex>
          )}
          openId={contactId}
          hrefOf={({ id }) => `/app/contacts/${id}`}
          open={({ id }) => void navigate({ to: `/app/contacts/${id}`, search: (known: object) => known })}
          bulk={mayWrite ? bulk : []}
          empty={
            <EmptyState icon={Users} title={t('audience:contacts.empty')} text={t('audience:contacts.emptyText')}>
              {mayWrite ? (
                <span className={section.row}>
                  {upload}
                  {adding.button}
                </span>
              ) : undefined}
            </EmptyState>
          }
        />
      </Split>
      <ContactForm
        opened={adding.opened}
        close={adding.close}
        title={t('audience:contacts.addTitle')}
        action={t('audience:contacts.add')}
        save={async (body) => {
          const { id } = await answer(api.POST('/contacts', { body: body as never }));
          changed();
          void navigate({ to: `/app/contacts/${id}` });
        }}
      />
    </AudiencePage>
  );
}
