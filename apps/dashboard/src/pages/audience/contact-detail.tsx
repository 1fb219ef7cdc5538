import { ActionIcon, Button, Menu } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { EllipsisVertical, Mail, Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { answer, api } from '../../api/client';
import { useMay } from '../../api/session';
import { DetailPane } from '../../detail/detail-pane';
import { errorInstead } from '../../parts/error-instead';
import { Confirm } from '../../parts/confirm';
import { CopyButton } from '../../parts/copy-button';
import section from '../../parts/layout.module.css';
import { usePathValues } from '../../parts/location';
import { Facts, Panel } from '../../parts/panel';
import { say } from '../../parts/say';
import { ErrorState } from '../../parts/states';
import { Time } from '../../parts/time';
import { nameOfContact, type WholeContact } from './audience-queries';
import { ContactForm } from './contact-form';
import { ContactGroups } from './contact-groups';
import { ContactHistory } from './contact-history';
import { ContactState } from './contact-state';

export function ContactDetail() {
  const { contactId: id = '' } = usePathValues();
  const { t } = useTranslation();
  const navigate = useNavigate();
  const client = useQueryClient();
  const mayWrite = useMay('audience:write');
  const [asking, setAsking] = useState<'edit' | 'delete'>();
  const path = { params: { path: { idOrEmail: id } } };
  const contact = useQuery({
    queryKey: ['contact', id],
    queryFn: () => answer(api.GET('/contacts/{idOrEmail}', path)),
  });
  const refresh = (): void => {
    void client.invalidateQueries({ queryKey: ['contact', id] });
    void client.invalidateQueries({ queryKey: ['contacts'] });
  };
  const close = (): void => void navigate({ to: '/app/contacts', search: (known: object) => known });
  const { data } = contact;
  return (
    <DetailPane
      title={data?.email ?? t('audience:contacts.one')}
      badge={data === undefined ? undefined : <ContactState contact={data} />}
      close={close}
      actions={
        data === undefined ? undefined : (
          <>
            {mayWrite ? (
              <Button
                variant="default"
                leftSection={<Pencil size={14} aria-hidden />}
                onClick={() => setAsking('edit')}
              >
                {t('audience:edit')}
              </Button>
            ) : null}
            <Menu position="bottom-end">
              <Menu.Target>
                <ActionIcon aria-label={t('audience:more')}>
                  <EllipsisVertical size={16} aria-hidden />
                </ActionIcon>
              </Menu.Target>
              <Menu.Dropdown>
                <Menu.Item
                  leftSection={<Mail size={15} aria-hidden />}
                  onClick={() => void navigate({ to: '/app/emails', search: { recipient: data.email } })}
                >
                  {t('audience:contacts.emails')}
                </Menu.Item>
                {mayWrite ? (
                  <Menu.Item
                    color="red"
                    leftSection={<Trash2 size={15} aria-hidden />}
                    onClick={() => setAsking('delete')}
                  >
                    {t('audience:delete')}
                  </Menu.Item>
                ) : null}
              </Menu.Dropdown>
            </Menu>
          </>
        )
      }
    >
      {errorInstead(contact) !== null ? (
        <ErrorState error={contact.error} retry={() => void contact.refetch()} />
      ) : data === undefined ? null : (
        <div className={section.scroll}>
          <ContactFacts contact={data} />
          <ContactGroups contactId={data.id} mayWrite={mayWrite} changed={refresh} />
          <ContactHistory contactId={data.id} />
          <ContactForm
            key={data.id}
            opened={asking === 'edit'}
            close={() => setAsking(undefined)}
            title={t('audience:contacts.editTitle')}
            action={t('common:save')}
            known={data}
            save={async (body) => {
              await answer(api.PATCH('/contacts/{idOrEmail}', { ...path, body: body as never }));
              refresh();
            }}
          />
          <Confirm
            opened={asking === 'delete'}
            close={() => setAsking(undefined)}
            title={t('audience:contacts.deleteTitle', { email: data.email })}
            action={t('audience:delete')}
            dangerous
            run={async () => {
              await answer(api.DELETE('/contacts/{idOrEmail}', path));
              say(t('audience:contacts.deleted'));
              void client.invalidateQueries({ queryKey: ['contacts'] });
              close();
            }}
          >
            <p>{t('audience:contacts.deleteText')}</p>
          </Confirm>
        </div>
      )}
    </DetailPane>
  );
}

function ContactFacts({ contact }: { readonly contact: WholeContact }) {
  const { t } = useTranslation();
  const properties = Object.entries(contact.properties as Record<string, { value?: string | number }>);
  const times = [
    [t('audience:contacts.unsubscribedAt'), contact.unsubscribed_at],
    [t('audience:contacts.bouncedAt'), contact.bounced_at],
    [t('audience:contacts.complainedAt'), contact.complained_at],
  ] as const;
  return (
    <Panel>
      <Facts
        items={[
          [t('audience:contacts.name'), nameOfContact(contact) || '–'],
          [t('audience:added'), <Time key="added" at={contact.created_at} form="exact" />],
          ...times.flatMap(([label, at]) =>
            at === null ? [] : [[label, <Time key={label} at={at} form="exact" />] as const],
          ),
          [
            t('audience:id'),
            <span key="id" className={section.row}>
              <code>{contact.id}</code>
              <CopyButton value={contact.id} label={t('audience:copyId')} />
            </span>,
          ],
          ...properties.map(([key, { value }]) => [key, String(value ?? '–'), true] as const),
        ]}
      />
    </Panel>
  );
}
