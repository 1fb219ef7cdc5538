import { ActionIcon, Button, Menu, Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { CirclePause, CirclePlay, CircleSlash, Copy, EllipsisVertical } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { answer, api } from '../../api/client';
import { useMay } from '../../api/session';
import { useFilters } from '../../list/filters';
import { Confirm } from '../../parts/confirm';
import section from '../../parts/layout.module.css';
import { Page } from '../../parts/page';
import { Stack } from '../../parts/panel';
import { say, sayError } from '../../parts/say';
import { ErrorState } from '../../parts/states';
import { BroadcastLinks } from './broadcast-links';
import { BroadcastPreview } from './broadcast-preview';
import { pathOf, progressQuery, useLiveBroadcasts, useRefresh, type Broadcast } from './broadcast-queries';
import { BroadcastRecipients } from './broadcast-recipients';
import { BroadcastState } from './broadcast-state';
import { BroadcastSummaryPanels } from './broadcast-summary';
import styles from './broadcasts.module.css';
import { useDuplicate } from './use-duplicate';
import tabs from '../../parts/part-tabs.module.css';

const views = ['results', 'recipients', 'content'] as const;

/** What becomes of a broadcast, while it is sent and after. */
export function BroadcastResults({ broadcast }: { readonly broadcast: Broadcast }) {
  const { id, state } = broadcast;
  const { t } = useTranslation();
  const [{ view = 'results' }, change] = useFilters(['view']);
  const mayWrite = useMay('broadcasts:write');
  const maySend = useMay('broadcasts:send');
  const [canceling, setCanceling] = useState(false);
  const refresh = useRefresh(id);
  const duplicate = useDuplicate(id);
  const progress = useQuery(progressQuery(id));
  useLiveBroadcasts(() => void refresh());
  const act = async (what: 'pause' | 'resume'): Promise<void> => {
    await answer(api.POST(`/broadcasts/{id}/${what}`, pathOf(id)));
    say(t(`broadcasts:did.${what}`));
    await refresh();
  };
  const isOpen = state === 'queued' || state === 'paused';
  return (
    <Page
      title={broadcast.name || broadcast.subject}
      back="/app/broadcasts"
      aside={<BroadcastState state={state} />}
      actions={
        <>
          {state === 'queued' && mayWrite ? (
            <Button
              variant="default"
              leftSection={<CirclePause size={14} aria-hidden />}
              onClick={() => void act('pause').catch(sayError)}
            >
              {t('broadcasts:pause')}
            </Button>
          ) : null}
          {state === 'paused' && maySend ? (
            <Button
              leftSection={<CirclePlay size={14} aria-hidden />}
              onClick={() => void act('resume').catch(sayError)}
            >
              {t('broadcasts:resume')}
            </Button>
          ) : null}
          {mayWrite ? (
            <Menu position="bottom-end">
              <Menu.Target>
                <ActionIcon aria-label={t('broadcasts:more')}>
                  <EllipsisVertical size={16} aria-hidden />
                </ActionIcon>
              </Menu.Target>
              <Menu.Dropdown>
                <Menu.Item leftSection={<Copy size={15} aria-hidden />} onClick={duplicate}>
                  {t('broadcasts:duplicate')}
                </Menu.Item>
                {isOpen ? (
                  <Menu.Item
                    color="red"
                    leftSection={<CircleSlash size={15} aria-hidden />}
                    onClick={() => setCanceling(true)}
                  >
                    {t('broadcasts:cancel')}
                  </Menu.Item>
                ) : null}
              </Menu.Dropdown>
            </Menu>
          ) : null}
        </>
      }
    >
      <Tabs
        value={view}
        onChange={(next) => change({ view: next === 'results' ? undefined : (next ?? undefined) })}
        keepMounted={false}
        variant="none"
        className={styles.views}
      >
        <Tabs.List className={`${tabs.list} ${styles.viewList}`} aria-label={t('broadcasts:viewsLabel')}>
          {views.map((name) => (
            <Tabs.Tab key={name} value={name} className={tabs.tab}>
              {t(`broadcasts:views.${name}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="results" className={tabs.panel}>
          <div className={section.scroll} tabIndex={0} role="group" aria-label={t('broadcasts:views.results')}>
            {progress.error !== null ? (
              <ErrorState error={progress.error} retry={() => void progress.refetch()} />
            ) : progress.data === undefined ? null : (
              <Stack>
                <BroadcastSummaryPanels broadcast={broadcast} progress={progress.data} />
                <BroadcastLinks id={id} clicked={progress.data.counts.clicked} />
              </Stack>
            )}
          </div>
        </Tabs.Panel>
        <Tabs.Panel value="recipients" className={tabs.panel}>
          <BroadcastRecipients id={id} />
        </Tabs.Panel>
        <Tabs.Panel value="content" className={tabs.panel}>
          <BroadcastPreview id={id} segmentId={broadcast.segment_id} version={0} isCurrent />
        </Tabs.Panel>
      </Tabs>
      <Confirm
        opened={canceling}
        close={() => setCanceling(false)}
        title={t('broadcasts:cancelTitle')}
        action={t('broadcasts:cancel')}
        dangerous
        run={async () => {
          await answer(api.POST('/broadcasts/{id}/cancel', pathOf(id)));
          say(t('broadcasts:canceled'));
          await refresh();
        }}
      >
        <p>{t('broadcasts:cancelText')}</p>
      </Confirm>
    </Page>
  );
}
