import { Button, Modal } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { answer, api } from '../../api/client';
import { CodeBlock } from '../../parts/code-block';
import { Row, Rows } from '../../parts/section';
import { ErrorState } from '../../parts/states';
import { Time } from '../../parts/time';
import { AutomationState } from './automation-looks';
import styles from './automations.module.css';

interface EventDetailProps {
  readonly name: string;
  readonly close: () => void;
}

/** Who listens to an event, and what was sent with it last. */
export function EventDetail({ name, close }: EventDetailProps) {
  const { t } = useTranslation();
  return (
    <Modal
      opened
      onClose={close}
      title={<code>{name}</code>}
      size={640}
      closeButtonProps={{ 'aria-label': t('common:close') }}
    >
      <Detail name={name} />
    </Modal>
  );
}

function Detail({ name }: { readonly name: string }) {
  const { t } = useTranslation();
  const event = useQuery({
    queryKey: ['events', 'one', name],
    queryFn: () => answer(api.GET('/events/{idOrName}', { params: { path: { idOrName: name } } })),
  });
  if (event.error !== null) return <ErrorState error={event.error} retry={() => void event.refetch()} />;
  if (event.data === undefined) return null;
  const { listeners, last_payloads: payloads } = event.data;
  return (
    <div className={styles.eventDetail}>
      <h3>{t('automations:events.listeners')}</h3>
      {listeners.length === 0 ? (
        <p className="quiet">{t('automations:events.noListeners')}</p>
      ) : (
        <Rows>
          {listeners.map((listener) => (
            <Row
              key={`${listener.automation_id} ${listener.step_key}`}
              title={<Link to={`/app/automations/${listener.automation_id}`}>{listener.name}</Link>}
              text={listener.step_key}
            >
              <AutomationState state={listener.status} plain />
            </Row>
          ))}
        </Rows>
      )}
      <h3>{t('automations:events.lastPayloads')}</h3>
      {payloads.length === 0 ? <p className="quiet">{t('automations:events.noPayloads')}</p> : null}
      {payloads.map(({ payload, created_at: at }) => (
        <div key={at}>
          <p className="quiet">
            <Time at={at} form="exact" />
          </p>
          <CodeBlock label={t('automations:payload')} code={JSON.stringify(payload, null, 2)} />
        </div>
      ))}
    </div>
  );
}

/** Names that were sent although nobody has defined them. */
export function SeenEvents({ define }: { readonly define: ((name: string) => void) | undefined }) {
  const { t, i18n } = useTranslation();
  const seen = useQuery({
    queryKey: ['events', 'seen'],
    queryFn: async () => (await answer(api.GET('/events/seen', { params: { query: { limit: 100 } } }))).data,
  });
  const rows = seen.data ?? [];
  if (rows.length === 0) return null;
  return (
    <section className={styles.seen} aria-label={t('automations:events.seen')}>
      <h2>{t('automations:events.seen')}</h2>
      <p className="quiet">{t('automations:events.seenText')}</p>
      <Rows>
        {rows.map(({ name, count, last_seen_at: at }) => (
          <Row
            key={name}
            title={<code>{name}</code>}
            text={
              <>
                {t('automations:events.times', { count, shown: count.toLocaleString(i18n.language) })}
                {' · '}
                <Time at={at} form="short" />
              </>
            }
          >
            {define === undefined ? null : (
              <Button variant="default" size="xs" onClick={() => define(name)}>
                {t('automations:events.add')}
              </Button>
            )}
          </Row>
        ))}
      </Rows>
    </section>
  );
}
