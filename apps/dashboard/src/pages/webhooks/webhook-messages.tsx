import { Button, UnstyledButton } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ChevronRight, RotateCcw } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { answer, api, type Schema } from '../../api/client';
import { usePages } from '../../list/use-pages';
import { CodeBlock } from '../../parts/code-block';
import { Panel } from '../../parts/panel';
import { say, sayError } from '../../parts/say';
import section from '../../parts/layout.module.css';
import { Time } from '../../parts/time';
import { HttpStatus } from '../../parts/http-status';
import { NextAttempt } from './webhook-health';
import { WebhookState } from './webhook-state';
import styles from './webhooks.module.css';

type Message = Schema<'WebhookMessageSummaryResponse'>;

/** While messages are under way, they are read again this often. */
export const lookAgainMs = 2_000;

interface WebhookMessagesProps {
  readonly webhookId: string;
  readonly mayWrite: boolean;
}

/** What was sent to an endpoint, newest first. A message opens to its payload and its attempts. */
export function WebhookMessages({ webhookId, mayWrite }: WebhookMessagesProps) {
  const { t } = useTranslation();
  const rows = usePages<Message>(['webhook', webhookId, 'messages'], ({ limit, after, signal }) =>
    answer(
      api.GET('/webhooks/{webhookId}/events', { params: { path: { webhookId }, query: { limit, after } }, signal }),
    ),
  );
  const [opened, setOpened] = useState<string>();
  useQuery({
    queryKey: ['webhook', webhookId, 'messages-again'],
    queryFn: async () => {
      await rows.refreshHead();
      return true;
    },
    refetchInterval: lookAgainMs,
    enabled: !rows.isLoading,
  });
  return (
    <Panel title={t('webhooks:messages.title')} text={t('webhooks:messages.text')} flush>
      {rows.rows.length === 0 && !rows.isLoading ? (
        <p className="quiet" style={{ padding: 16 }}>
          {t('webhooks:messages.empty')}
        </p>
      ) : (
        <ul>
          {rows.rows.map((message) => (
            <li key={message.id} className={styles.message}>
              <UnstyledButton
                className={styles.messageHead}
                aria-expanded={opened === message.id}
                data-opened={opened === message.id || undefined}
                onClick={() => setOpened(opened === message.id ? undefined : message.id)}
              >
                <code className="cut">{message.type}</code>
                <WebhookState state={message.status} plain />
                <span className={`quiet ${styles.end}`}>
                  <Time at={message.created_at} />
                </span>
                <ChevronRight size={14} aria-hidden />
              </UnstyledButton>
              {opened === message.id ? (
                <MessageBody webhookId={webhookId} message={message} mayWrite={mayWrite} />
              ) : null}
            </li>
          ))}
        </ul>
      )}
      {rows.hasMore ? (
        <div style={{ padding: 12 }}>
          <Button variant="default" loading={rows.isLoadingMore} onClick={rows.loadMore}>
            {t('webhooks:messages.older')}
          </Button>
        </div>
      ) : null}
    </Panel>
  );
}

function MessageBody(props: WebhookMessagesProps & { readonly message: Message }) {
  const { webhookId, message, mayWrite } = props;
  const { t } = useTranslation();
  const client = useQueryClient();
  const path = { params: { path: { webhookId, eventId: message.id } } };
  const key = ['webhook', webhookId, 'message', message.id];
  const isOver = message.status === 'success' || message.status === 'failed';
  const refetchInterval = isOver ? false : lookAgainMs;
  const whole = useQuery({
    queryKey: [...key, message.status],
    queryFn: () => answer(api.GET('/webhooks/{webhookId}/events/{eventId}', path)),
    refetchInterval,
  });
  const attempts = useQuery({
    queryKey: [...key, 'attempts', message.status],
    queryFn: () => answer(api.GET('/webhooks/{webhookId}/events/{eventId}/attempts', path)),
    refetchInterval,
  });
  const replay = useMutation({
    mutationFn: () => answer(api.POST('/webhooks/{webhookId}/events/{eventId}/replay', path)),
    onSuccess: () => {
      say(t('webhooks:messages.replayed'));
      void client.invalidateQueries({ queryKey: ['webhook', webhookId] });
    },
    onError: sayError,
  });
  return (
    <div className={styles.messageBody}>
      <div className={section.row}>
        <code className="quiet">{message.id}</code>
        {mayWrite ? (
          <Button
            variant="default"
            leftSection={<RotateCcw size={14} aria-hidden />}
            loading={replay.isPending}
            onClick={() => replay.mutate()}
            ml="auto"
          >
            {t('webhooks:messages.replay')}
          </Button>
        ) : null}
      </div>
      {whole.data?.next_attempt_at == null || isOver ? null : (
        <p className="quiet">
          {t('webhooks:messages.next')} <NextAttempt at={whole.data.next_attempt_at} />
        </p>
      )}
      {(attempts.data?.data ?? []).map((attempt) => (
        <div key={attempt.id} className={styles.attempt}>
          <div className={styles.attemptHead}>
            {attempt.http_status_code === 0 ? (
              <span className="quiet">{t('webhooks:messages.noAnswer')}</span>
            ) : (
              <HttpStatus status={attempt.http_status_code} plain />
            )}
            <span className="quiet">
              <Time at={attempt.sent_at} />
            </span>
          </div>
          {attempt.response === '' ? null : <pre className={styles.response}>{attempt.response}</pre>}
        </div>
      ))}
      {whole.data?.payload == null ? null : (
        <CodeBlock code={JSON.stringify(whole.data.payload, null, 2)} label={t('webhooks:messages.payload')} />
      )}
    </div>
  );
}
