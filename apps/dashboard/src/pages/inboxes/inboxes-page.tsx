import { ActionIcon, Box, Menu } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { EllipsisVertical, Forward, Mails, Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { answer, api } from '../../api/client';
import { useLive } from '../../api/live';
import { useMay } from '../../api/session';
import { ShortList } from '../../list/short-list';
import { usePages } from '../../list/use-pages';
import { Confirm } from '../../parts/confirm';
import { useAdding } from '../../parts/use-adding';
import { Page } from '../../parts/page';
import { say, sayError } from '../../parts/say';
import { Row } from '../../parts/section';
import { Time } from '../../parts/time';
import { InboxForm, ReceivingAddress } from './inbox-form';
import styles from './inboxes.module.css';
import type { InboxSummary } from './mail-queries';

type Asking =
  | { readonly kind: 'edit' | 'remove'; readonly inbox: InboxSummary }
  | { readonly kind: 'receiving'; readonly address: string };

/** The inboxes of the team, with what is unread in them. */
export function InboxesPage() {
  const { t } = useTranslation();
  const client = useQueryClient();
  const mayWrite = useMay('emails:write');
  const adding = useAdding('emails:write', t('inboxes:add'));
  const [asking, setAsking] = useState<Asking>();
  const close = (): void => setAsking(undefined);
  const rows = usePages<InboxSummary>(['inboxes'], ({ limit, after, signal }) =>
    answer(api.GET('/inboxes', { params: { query: { limit, after } }, signal })),
  );
  const changed = (): void => void client.invalidateQueries({ queryKey: ['inboxes'] });
  useLive(({ type, data }) => {
    const types = (data.events ?? []) as readonly string[];
    if (type === 'ready' || type === 'reload' || types.some((each) => each.startsWith('inbox.'))) changed();
  });
  const showReceiving = async ({ id }: InboxSummary): Promise<void> => {
    try {
      const inbox = await answer(api.GET('/inboxes/{inbox}', { params: { path: { inbox: id } } }));
      if (inbox.receiving_address === null) say(t('inboxes:receiving.none'));
      else setAsking({ kind: 'receiving', address: inbox.receiving_address });
    } catch (error) {
      sayError(error);
    }
  };
  return (
    <Page title={t('inboxes:title')} actions={adding.button}>
      <ShortList
        rows={rows}
        icon={Mails}
        empty={t('inboxes:empty')}
        emptyText={t('inboxes:emptyText')}
        add={adding.button}
        row={(inbox) => (
          <Row
            key={inbox.id}
            icon={<Mails size={16} aria-hidden />}
            title={
              <Link to={`/app/inboxes/${inbox.id}`} className={styles.inbox}>
                {inbox.name ?? inbox.email_address}
              </Link>
            }
            text={<InboxText inbox={inbox} />}
          >
            {inbox.unread === 0 ? null : (
              <Box component="span" flex="none" c="var(--accent-text)" fz={13} fw={600}>
                {t('inboxes:unread', { count: inbox.unread })}
              </Box>
            )}
            {mayWrite ? (
              <Menu position="bottom-end">
                <Menu.Target>
                  <ActionIcon aria-label={t('inboxes:moreFor', { name: inbox.email_address })}>
                    <EllipsisVertical size={16} aria-hidden />
                  </ActionIcon>
                </Menu.Target>
                <Menu.Dropdown>
                  <Menu.Item
                    leftSection={<Pencil size={15} aria-hidden />}
                    onClick={() => setAsking({ kind: 'edit', inbox })}
                  >
                    {t('inboxes:rename')}
                  </Menu.Item>
                  <Menu.Item leftSection={<Forward size={15} aria-hidden />} onClick={() => void showReceiving(inbox)}>
                    {t('inboxes:receiving.show')}
                  </Menu.Item>
                  <Menu.Item
                    color="red"
                    leftSection={<Trash2 size={15} aria-hidden />}
                    onClick={() => setAsking({ kind: 'remove', inbox })}
                  >
                    {t('inboxes:remove')}
                  </Menu.Item>
                </Menu.Dropdown>
              </Menu>
            ) : null}
          </Row>
        )}
      />
      {adding.opened ? <InboxForm known={undefined} close={adding.close} saved={changed} /> : null}
      {asking?.kind === 'edit' ? <InboxForm known={asking.inbox} close={close} saved={changed} /> : null}
      {asking?.kind === 'receiving' ? <ReceivingAddress address={asking.address} close={close} /> : null}
      <Confirm
        opened={asking?.kind === 'remove'}
        close={close}
        title={t('inboxes:removing.title')}
        action={t('inboxes:remove')}
        typed={asking?.kind === 'remove' ? asking.inbox.email_address : undefined}
        run={async () => {
          if (asking?.kind !== 'remove') return;
          await answer(api.DELETE('/inboxes/{inbox}', { params: { path: { inbox: asking.inbox.id } } }));
          say(t('inboxes:removing.done'));
          changed();
        }}
      >
        <p>{t('inboxes:removing.text')}</p>
      </Confirm>
    </Page>
  );
}

function InboxText({ inbox }: { readonly inbox: InboxSummary }) {
  const { t } = useTranslation();
  return (
    <>
      {inbox.name === null ? null : <>{inbox.email_address} · </>}
      {inbox.last_received === null ? (
        t('inboxes:nothingYet')
      ) : (
        <>
          {t('inboxes:lastReceived')} <Time at={inbox.last_received} />
        </>
      )}
    </>
  );
}
