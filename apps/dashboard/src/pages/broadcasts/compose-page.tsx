import { ActionIcon, Button, Menu } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { Copy, EllipsisVertical, FlaskConical, Send, Trash2, Undo2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { answer, api } from '../../api/client';
import { useMay } from '../../api/session';
import { Confirm } from '../../parts/confirm';
import { Page } from '../../parts/page';
import { say, sayError } from '../../parts/say';
import { Countdown, Time } from '../../parts/time';
import composer from '../../parts/composer.module.css';
import { BroadcastEditor } from './broadcast-editor';
import { BroadcastPreview } from './broadcast-preview';
import { pathOf, useLiveBroadcasts, useRefresh, type Broadcast } from './broadcast-queries';
import { BroadcastState } from './broadcast-state';
import styles from './broadcasts.module.css';
import { SendDialog, TestDialog } from './send-dialogs';
import { useAudience } from './use-audience';
import { useBroadcastDraft } from './use-broadcast-draft';
import { useDuplicate } from './use-duplicate';

/** A broadcast that is written: the source at the left, what a contact gets at the right. */
export function ComposePage({ broadcast }: { readonly broadcast: Broadcast }) {
  const { id, status } = broadcast;
  const { t } = useTranslation();
  const navigate = useNavigate();
  const mayWrite = useMay('broadcasts:write');
  const maySend = useMay('broadcasts:send');
  const [asking, setAsking] = useState<'send' | 'test' | 'delete'>();
  const [refusal, setRefusal] = useState<unknown>();
  const [version, setVersion] = useState(0);
  const refresh = useRefresh(id);
  const draft = useBroadcastDraft(broadcast, async () => {
    setVersion((known) => known + 1);
    await refresh();
  });
  const duplicate = useDuplicate(id);
  const values = draft.values;
  const audience = useAudience(values?.segmentId ?? broadcast.segment_id, values?.topicId ?? null);
  // It may begin while it is looked at.
  useLiveBroadcasts(() => void refresh());
  const close = (): void => setAsking(undefined);
  const dialog = { broadcast, close, saved: draft.saved, refused: setRefusal, done: refresh, audience };
  const unschedule = async (): Promise<void> => {
    await answer(api.POST('/broadcasts/{id}/cancel', pathOf(id)));
    say(t('broadcasts:unscheduled'));
    await refresh();
  };
  return (
    <Page
      title={broadcast.name ?? broadcast.subject}
      back="/app/broadcasts"
      aside={
        <>
          <BroadcastState state={status} />
          <span className={composer.saving} role="status">
            {draft.state === 'clean' ? '' : t(`templates:saving.${draft.state}`)}
          </span>
        </>
      }
      actions={
        <>
          {maySend ? (
            <>
              <Button
                variant="default"
                leftSection={<FlaskConical size={14} aria-hidden />}
                className={styles.wideOnly}
                onClick={() => setAsking('test')}
              >
                {t('broadcasts:test')}
              </Button>
              <Button leftSection={<Send size={14} aria-hidden />} onClick={() => setAsking('send')}>
                {t('broadcasts:send')}
              </Button>
            </>
          ) : null}
          {mayWrite ? (
            <Menu position="bottom-end">
              <Menu.Target>
                <ActionIcon aria-label={t('broadcasts:more')}>
                  <EllipsisVertical size={16} aria-hidden />
                </ActionIcon>
              </Menu.Target>
              <Menu.Dropdown>
                {maySend ? (
                  <Menu.Item
                    leftSection={<FlaskConical size={15} aria-hidden />}
                    className={styles.narrowOnly}
                    onClick={() => setAsking('test')}
                  >
                    {t('broadcasts:test')}
                  </Menu.Item>
                ) : null}
                {status === 'scheduled' ? (
                  <Menu.Item
                    leftSection={<Undo2 size={15} aria-hidden />}
                    onClick={() => void unschedule().catch(sayError)}
                  >
                    {t('broadcasts:unschedule')}
                  </Menu.Item>
                ) : null}
                <Menu.Item leftSection={<Copy size={15} aria-hidden />} onClick={duplicate}>
                  {t('broadcasts:duplicate')}
                </Menu.Item>
                <Menu.Item
                  color="red"
                  leftSection={<Trash2 size={15} aria-hidden />}
                  onClick={() => setAsking('delete')}
                >
                  {t('broadcasts:delete')}
                </Menu.Item>
              </Menu.Dropdown>
            </Menu>
          ) : null}
        </>
      }
    >
      {status === 'scheduled' && broadcast.scheduled_at !== null ? (
        <p className={styles.notice}>
          <Countdown to={broadcast.scheduled_at} before={t('broadcasts:startsIn')} ended={t('broadcasts:startsNow')} />
          <span className="quiet">
            <Time at={broadcast.scheduled_at} form="exact" />
          </span>
        </p>
      ) : null}
      {values === undefined ? null : (
        <div className={composer.page}>
          <BroadcastEditor
            values={values}
            change={(changes) => {
              setRefusal(undefined);
              draft.change(changes);
            }}
            error={draft.error ?? refusal}
            readOnly={!mayWrite}
            audience={audience}
          />
          <BroadcastPreview
            id={id}
            segmentId={values.segmentId}
            version={version}
            isCurrent={draft.state === 'clean' || draft.state === 'saved'}
          />
        </div>
      )}
      <SendDialog {...dialog} opened={asking === 'send'} />
      <TestDialog {...dialog} opened={asking === 'test'} />
      <Confirm
        opened={asking === 'delete'}
        close={close}
        title={t('broadcasts:deleteTitle')}
        action={t('broadcasts:delete')}
        dangerous
        run={async () => {
          await answer(api.DELETE('/broadcasts/{id}', pathOf(id)));
          say(t('broadcasts:deleted'));
          await navigate({ to: '/app/broadcasts' });
          void refresh();
        }}
      >
        <p>{t('broadcasts:deleteText')}</p>
      </Confirm>
    </Page>
  );
}
