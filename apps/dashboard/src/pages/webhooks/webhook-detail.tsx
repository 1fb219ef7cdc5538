import { ActionIcon, Button, Menu, Modal } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { EllipsisVertical, Pencil, Power, RotateCcw, RotateCw, ShieldCheck, Trash2, Zap } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { answer, api } from '../../api/client';
import { useMay } from '../../api/session';
import { DetailPane } from '../../detail/detail-pane';
import { errorInstead } from '../../parts/error-instead';
import { Confirm } from '../../parts/confirm';
import { CopyButton } from '../../parts/copy-button';
import { usePathValues } from '../../parts/location';
import { Facts, Panel } from '../../parts/panel';
import { say, sayError } from '../../parts/say';
import section from '../../parts/layout.module.css';
import { ErrorState } from '../../parts/states';
import { Time } from '../../parts/time';
import { SignatureChecker } from './signature-checker';
import { WebhookForm } from './webhook-form';
import { TestAnswer, WebhookHealth } from './webhook-health';
import { stateOf, WebhookState } from './webhook-state';
import { lookAgainMs, WebhookMessages } from './webhook-messages';
import styles from './webhooks.module.css';

type Asking = 'edit' | 'delete' | 'rotate' | 'check';

export function WebhookDetail() {
  const { webhookId = '' } = usePathValues();
  const { t } = useTranslation();
  const navigate = useNavigate();
  const client = useQueryClient();
  const mayWrite = useMay('webhooks:write');
  const [asking, setAsking] = useState<Asking>();
  const path = { params: { path: { webhookId } } };
  const webhook = useQuery({
    queryKey: ['webhook', webhookId],
    queryFn: () => answer(api.GET('/webhooks/{webhookId}', path)),
    refetchInterval: lookAgainMs,
  });
  const refresh = (): void => {
    void client.invalidateQueries({ queryKey: ['webhook', webhookId] });
    void client.invalidateQueries({ queryKey: ['webhooks'] });
  };
  const close = (): void => void navigate({ to: '/app/webhooks' });
  const act = (work: () => Promise<unknown>, done: string) => ({
    mutationFn: work,
    onSuccess: () => {
      say(done);
      refresh();
    },
    onError: sayError,
  });
  const test = useMutation({
    mutationFn: () => answer(api.POST('/webhooks/{webhookId}/events/test', path)),
    onSuccess: refresh,
    onError: sayError,
  });
  const replay = useMutation(
    act(
      () => answer(api.POST('/webhooks/{webhookId}/events/replay', { ...path, body: {} as never })),
      t('webhooks:replayed'),
    ),
  );
  const { data } = webhook;
  const isEnabled = data?.status === 'enabled';
  const power = useMutation(
    act(
      () =>
        answer(api.PATCH('/webhooks/{webhookId}', { ...path, body: { status: isEnabled ? 'disabled' : 'enabled' } })),
      isEnabled ? t('webhooks:disabled') : t('webhooks:enabled'),
    ),
  );
  return (
    <DetailPane
      title={data?.endpoint ?? t('webhooks:one')}
      badge={data === undefined ? undefined : <WebhookState state={stateOf(data)} />}
      close={close}
      actions={
        mayWrite && data !== undefined ? (
          <>
            <Button
              variant="default"
              leftSection={<Zap size={14} aria-hidden />}
              loading={test.isPending}
              disabled={!isEnabled}
              onClick={() => test.mutate()}
            >
              {t('webhooks:test')}
            </Button>
            <Menu position="bottom-end">
              <Menu.Target>
                <ActionIcon aria-label={t('webhooks:more')}>
                  <EllipsisVertical size={16} aria-hidden />
                </ActionIcon>
              </Menu.Target>
              <Menu.Dropdown>
                <Menu.Item leftSection={<Pencil size={15} aria-hidden />} onClick={() => setAsking('edit')}>
                  {t('webhooks:edit.button')}
                </Menu.Item>
                <Menu.Item leftSection={<Power size={15} aria-hidden />} onClick={() => power.mutate()}>
                  {isEnabled ? t('webhooks:disable') : t('webhooks:enable')}
                </Menu.Item>
                <Menu.Item leftSection={<RotateCcw size={15} aria-hidden />} onClick={() => replay.mutate()}>
                  {t('webhooks:replayAll')}
                </Menu.Item>
                <Menu.Item leftSection={<RotateCw size={15} aria-hidden />} onClick={() => setAsking('rotate')}>
                  {t('webhooks:rotate.button')}
                </Menu.Item>
                <Menu.Item leftSection={<ShieldCheck size={15} aria-hidden />} onClick={() => setAsking('check')}>
                  {t('webhooks:check.button')}
                </Menu.Item>
                <Menu.Item
                  color="red"
                  leftSection={<Trash2 size={15} aria-hidden />}
                  onClick={() => setAsking('delete')}
                >
                  {t('webhooks:delete.button')}
                </Menu.Item>
              </Menu.Dropdown>
            </Menu>
          </>
        ) : undefined
      }
    >
      {errorInstead(webhook) !== null ? (
        <ErrorState error={webhook.error} retry={() => void webhook.refetch()} />
      ) : data === undefined ? null : (
        <div className={section.scroll}>
          <Panel>
            <Facts
              items={[
                [
                  t('webhooks:column.events'),
                  <span key="events" className={styles.chips}>
                    {data.events.map((type) => (
                      <code key={type}>{type}</code>
                    ))}
                  </span>,
                ],
                // Ours is what everybody expects.
                ...(data.format === 'postrider' ? [] : [[t('webhooks:format'), data.format] as const]),
                // Only those who may change webhooks get to see it.
                ...(data.signing_secret === null
                  ? []
                  : [
                      [
                        t('webhooks:secret'),
                        <span key="secret" className={styles.secret}>
                          <code className="cut">{`${data.signing_secret.slice(0, 12)}••••••••`}</code>
                          <CopyButton value={data.signing_secret} label={t('webhooks:copySecret')} />
                        </span>,
                      ] as const,
                    ]),
                [t('webhooks:column.created'), <Time key="created" at={data.created_at} form="exact" />],
                ...(data.disabled_reason === null
                  ? []
                  : [[t('webhooks:disabledReason'), data.disabled_reason] as const]),
              ]}
            />
          </Panel>
          <WebhookHealth health={data.health} />
          {test.data === undefined ? null : <TestAnswer answer={test.data} />}
          <WebhookMessages webhookId={webhookId} mayWrite={mayWrite} />
          <WebhookForm
            key={data.id}
            opened={asking === 'edit'}
            close={() => setAsking(undefined)}
            title={t('webhooks:edit.title')}
            action={t('common:save')}
            known={data}
            save={async (values) => {
              await answer(api.PATCH('/webhooks/{webhookId}', { ...path, body: values as never }));
              refresh();
            }}
          />
          <Confirm
            opened={asking === 'rotate'}
            close={() => setAsking(undefined)}
            title={t('webhooks:rotate.title')}
            action={t('webhooks:rotate.button')}
            run={async () => {
              await answer(api.POST('/webhooks/{webhookId}/signing-secret/rotate', path));
              say(t('webhooks:rotate.done'));
              refresh();
            }}
          >
            <p>{t('webhooks:rotate.text')}</p>
          </Confirm>
          <Confirm
            opened={asking === 'delete'}
            close={() => setAsking(undefined)}
            title={t('webhooks:delete.title')}
            action={t('webhooks:delete.button')}
            typed={new URL(data.endpoint).host}
            run={async () => {
              await answer(api.DELETE('/webhooks/{webhookId}', path));
              refresh();
              close();
            }}
          >
            <p>{t('webhooks:delete.text')}</p>
          </Confirm>
          <Modal
            opened={asking === 'check'}
            onClose={() => setAsking(undefined)}
            title={t('webhooks:check.title')}
            size={620}
            closeButtonProps={{ 'aria-label': t('common:close') }}
          >
            <SignatureChecker secret={data.signing_secret ?? ''} />
          </Modal>
        </div>
      )}
    </DetailPane>
  );
}
