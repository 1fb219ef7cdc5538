import { ActionIcon, Box, Menu, Tabs } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Download, EllipsisVertical, MessagesSquare, RotateCcw } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { answer, api, type Schema } from '../../api/client';
import { useMay } from '../../api/session';
import { DetailPane } from '../../detail/detail-pane';
import { CopyButton } from '../../parts/copy-button';
import { HtmlFrame } from '../../parts/html-frame';
import section from '../../parts/layout.module.css';
import { usePathValues } from '../../parts/location';
import { Facts, Panel } from '../../parts/panel';
import { say, sayError } from '../../parts/say';
import { ErrorState } from '../../parts/states';
import { Time } from '../../parts/time';
import { ReceivedFiles } from './received-files';
import message from '../../parts/message-parts.module.css';
import styles from './received.module.css';
import { RoutingPanel } from './routing-panel';
import parts from '../../parts/part-tabs.module.css';
import { AuthenticationState, VerdictsPanel } from './verdicts';

type Received = Schema<'ReceivedEmailResponse'>;

export function ReceivedDetail() {
  const { receivedId: id = '' } = usePathValues();
  const { t } = useTranslation();
  const navigate = useNavigate();
  const mayReplay = useMay('emails:write');
  const path = { params: { path: { id } } };
  const email = useQuery({
    queryKey: ['received-one', id],
    queryFn: () => answer(api.GET('/emails/receiving/{id}', path)),
    // The links to files in it are valid for an hour.
    staleTime: 30 * 60_000,
  });
  const replay = useMutation({
    mutationFn: () => answer(api.POST('/emails/receiving/{id}/replay', path)),
    onSuccess: () => say(t('received:replayed')),
    onError: sayError,
  });
  const close = (): void => void navigate({ to: '/app/received', search: (known: object) => known });
  const { data } = email;
  return (
    <DetailPane
      title={data === undefined ? t('received:one') : data.subject || t('received:noSubject')}
      badge={data === undefined ? undefined : <AuthenticationState email={data} />}
      close={close}
      actions={
        data === undefined ? undefined : (
          <Menu position="bottom-end">
            <Menu.Target>
              <ActionIcon aria-label={t('received:more')}>
                <EllipsisVertical size={16} aria-hidden />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item
                leftSection={<MessagesSquare size={15} aria-hidden />}
                onClick={() => void navigate({ to: '.', search: { thread_id: data.thread_id } })}
              >
                {t('received:showThread')}
              </Menu.Item>
              {data.raw === undefined ? null : (
                <Menu.Item
                  component="a"
                  href={pathOf(data.raw.download_url)}
                  leftSection={<Download size={15} aria-hidden />}
                >
                  {t('received:raw')}
                </Menu.Item>
              )}
              {mayReplay ? (
                <Menu.Item leftSection={<RotateCcw size={15} aria-hidden />} onClick={() => replay.mutate()}>
                  {t('received:replay')}
                </Menu.Item>
              ) : null}
            </Menu.Dropdown>
          </Menu>
        )
      }
    >
      {email.error !== null ? (
        <ErrorState error={email.error} retry={() => void email.refetch()} />
      ) : data === undefined ? null : (
        <div className={section.scroll}>
          <Panel>
            <Facts
              items={[
                [t('received:from'), data.from],
                [t('received:to'), data.to.join(', ')],
                ...((data.cc?.length ?? 0) > 0 ? [['Cc', data.cc?.join(', ')] as const] : []),
                [t('received:for'), data.received_for.join(', ')],
                [t('received:at'), <Time key="at" at={data.created_at} form="exact" />],
                [
                  'ID',
                  <span key="id" className={section.row}>
                    <code>{data.id}</code>
                    <CopyButton value={data.id} label={t('received:copyId')} />
                  </span>,
                ],
              ]}
            />
          </Panel>
          <Content key={data.id} email={data} />
          {data.attachments.length === 0 ? null : <ReceivedFiles emailId={data.id} />}
          <VerdictsPanel email={data} />
          <RoutingPanel emailId={data.id} />
        </div>
      )}
    </DetailPane>
  );
}

function Content({ email }: { readonly email: Received }) {
  const { t } = useTranslation();
  const [tab, setTab] = useState<string | null>(email.html === null ? 'text' : 'html');
  const tabs = [
    ...(email.html === null ? [] : ['html']),
    'text',
    ...(email.reply_text === null ? [] : ['reply']),
    'headers',
  ];
  return (
    <Tabs value={tab} onChange={setTab} keepMounted={false} className={message.content} variant="none">
      <Tabs.List className={`${parts.list} ${message.list}`} aria-label={t('received:parts')}>
        {tabs.map((value) => (
          <Tabs.Tab key={value} value={value} className={parts.tab}>
            {t(`received:part.${value}`)}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value="html" className={message.frame}>
        <HtmlFrame title={t('received:part.html')} html={email.html ?? ''} />
      </Tabs.Panel>
      <Tabs.Panel value="text">
        <Text text={email.text} label={t('received:part.text')} />
      </Tabs.Panel>
      <Tabs.Panel value="reply">
        <Text text={email.reply_text} label={t('received:part.reply')} />
      </Tabs.Panel>
      <Tabs.Panel value="headers">
        <dl className={`${message.text} ${styles.headers}`} tabIndex={0} aria-label={t('received:part.headers')}>
          {Object.entries(email.headers).map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{String(value)}</dd>
            </div>
          ))}
        </dl>
      </Tabs.Panel>
    </Tabs>
  );
}

/** More than this makes the page slow. The raw message has the whole. */
const maxShown = 300_000;

function Text({ text, label }: { readonly text: string | null; readonly label: string }) {
  const { t } = useTranslation();
  if (text === null || text === '')
    return (
      <Box component="p" p={16} c="var(--text-3)">
        {t('received:noText')}
      </Box>
    );
  return (
    <pre className={message.text} tabIndex={0} aria-label={label}>
      {text.slice(0, maxShown)}
    </pre>
  );
}

/** On this origin, whatever the public address of the service is. */
function pathOf(url: string): string {
  const { pathname, search } = new URL(url);
  return `${pathname}${search}`;
}
