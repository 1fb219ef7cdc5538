import { Button, Flex, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { CircleCheck, CircleX, Minus } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { answer, api } from '../../api/client';
import { Alert } from '../../parts/alert';
import { Panel } from '../../parts/panel';
import { StatusBadge } from '../../parts/status-badge';
import styles from './routing.module.css';

/** What would happen to a message for an address. Nothing is sent. */
export function ExplainPanel() {
  const { t } = useTranslation();
  const [recipient, setRecipient] = useState('');
  const [subject, setSubject] = useState('');
  const explain = useMutation({
    mutationFn: () =>
      answer(
        api.POST('/routes/explain', {
          body: { recipient: recipient.trim(), ...(subject === '' ? {} : { headers: { Subject: subject } }) } as never,
        }),
      ),
  });
  const { data } = explain;
  const isTaken = data?.outcome === 'accepted' || data?.outcome === 'report';
  return (
    <Panel title={t('received:explain.title')} text={t('received:explain.text')}>
      <form
        className={styles.explain}
        onSubmit={(event) => {
          event.preventDefault();
          if (recipient.trim() !== '') explain.mutate();
        }}
      >
        <TextInput
          aria-label={t('received:explain.recipient')}
          placeholder="support@acme.com"
          value={recipient}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => setRecipient(event.currentTarget.value)}
        />
        <TextInput
          aria-label={t('received:explain.subject')}
          placeholder={t('received:explain.subject')}
          value={subject}
          onChange={(event) => setSubject(event.currentTarget.value)}
        />
        <Button type="submit" variant="default" h={36} loading={explain.isPending} disabled={recipient.trim() === ''}>
          {t('received:explain.button')}
        </Button>
      </form>
      {explain.error === null ? null : <Alert error={explain.error} />}
      {data === undefined ? null : (
        <div className={styles.steps} role="status" style={{ marginTop: 14 }}>
          <Flex gap={8} align="baseline">
            <StatusBadge
              tone={isTaken ? 'good' : 'bad'}
              icon={isTaken ? CircleCheck : CircleX}
              label={t(`received:explain.outcome.${data.outcome}`)}
            />
            <span>{data.reason}</span>
          </Flex>
          {data.actions.map((action, index) => (
            <Flex key={index} gap={8} align="baseline">
              <strong>{t(`received:action.${action.type}`)}</strong>
              <code>{action.to?.join(', ') ?? action.host ?? ''}</code>
            </Flex>
          ))}
          {data.steps.map((step) => (
            <Flex key={step.route_id} gap={8} align="baseline">
              {step.result === 'matched' ? (
                <CircleCheck size={13} aria-hidden color="var(--good)" />
              ) : (
                <Minus size={13} aria-hidden color="var(--text-3)" />
              )}
              <span className="quiet">
                {step.name === '' ? '' : `${step.name}: `}
                {step.reason}
              </span>
            </Flex>
          ))}
          {data.reply === null ? null : <code>{data.reply}</code>}
        </div>
      )}
    </Panel>
  );
}
