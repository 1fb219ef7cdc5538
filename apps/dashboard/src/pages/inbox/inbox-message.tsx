import { Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { CircleCheck, CircleHelp, CircleX } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { answer, api, type Schema } from '../../api/client';
import { DetailPane } from '../../detail/detail-pane';
import { HtmlFrame } from '../../parts/html-frame';
import section from '../../parts/layout.module.css';
import { usePathValues } from '../../parts/location';
import { Facts, Panel } from '../../parts/panel';
import { ErrorState } from '../../parts/states';
import { StatusBadge } from '../../parts/status-badge';
import { Time } from '../../parts/time';
import styles from '../../parts/message-parts.module.css';

const dkimLooks = { pass: ['good', CircleCheck], fail: ['bad', CircleX], none: ['flat', CircleHelp] } as const;

export function InboxMessage() {
  const { messageId: id = '' } = usePathValues();
  const { t } = useTranslation();
  const navigate = useNavigate();
  const message = useQuery({
    queryKey: ['inbox', 'message', id],
    queryFn: () => answer(api.GET('/sandbox/messages/{id}', { params: { path: { id } } })),
    staleTime: Infinity,
  });
  const { data } = message;
  const [tone, icon] = dkimLooks[data?.dkim ?? 'none'];
  return (
    <DetailPane
      title={data === undefined ? t('inbox:one') : data.subject || t('inbox:noSubject')}
      badge={
        data === undefined ? undefined : <StatusBadge tone={tone} icon={icon} label={t(`inbox:dkim.${data.dkim}`)} />
      }
      close={() => void navigate({ to: '/app/inbox' })}
    >
      {message.error !== null ? (
        <ErrorState error={message.error} retry={() => void message.refetch()} />
      ) : data === undefined ? null : (
        <div className={section.scroll}>
          <Panel>
            <Facts
              items={[
                [t('inbox:from'), data.from],
                [t('inbox:to'), data.to.join(', ')],
                [t('inbox:at'), <Time key="at" at={data.received_at} form="exact" />],
              ]}
            />
          </Panel>
          <Parts key={data.id} message={data} />
        </div>
      )}
    </DetailPane>
  );
}

/** More than this makes the page slow. */
const maxShown = 300_000;

function Parts({ message }: { readonly message: Schema<'MessageResponse'> }) {
  const { t } = useTranslation();
  const parts = [
    ...(message.html === null ? [] : (['html'] as const)),
    ...(message.text === null ? [] : (['text'] as const)),
    'raw' as const,
  ];
  return (
    <Tabs defaultValue={parts[0]} keepMounted={false} className={styles.content} variant="none">
      <Tabs.List className={styles.list} aria-label={t('inbox:parts')}>
        {parts.map((part) => (
          <Tabs.Tab key={part} value={part}>
            {t(`inbox:part.${part}`)}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value="html" className={styles.frame}>
        <HtmlFrame title={t('inbox:part.html')} html={message.html ?? ''} />
      </Tabs.Panel>
      {(['text', 'raw'] as const).map((part) => (
        <Tabs.Panel key={part} value={part}>
          <pre className={styles.text} tabIndex={0} aria-label={t(`inbox:part.${part}`)}>
            {(message[part] ?? '').slice(0, maxShown)}
          </pre>
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
