import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { CircleCheck, Monitor } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { answer, api } from '../../api/client';
import { deviceOf } from '../../logic/user-agent';
import { say, sayError } from '../../parts/say';
import { Row, Rows, Section } from '../../parts/section';
import { ErrorState } from '../../parts/states';
import { StatusBadge } from '../../parts/status-badge';
import { Time } from '../../parts/time';

const queryKey = ['me', 'sessions'];

export function Sessions() {
  const { t } = useTranslation();
  const client = useQueryClient();
  const sessions = useQuery({ queryKey, queryFn: () => answer(api.GET('/me/sessions')) });
  const renew = async (done: string): Promise<void> => {
    await client.invalidateQueries({ queryKey });
    say(done);
  };
  const end = async (id: string): Promise<void> => {
    await answer(api.DELETE('/me/sessions/{id}', { params: { path: { id } } }));
    await renew(t('settings:sessions.ended'));
  };
  const endOthers = async (): Promise<void> => {
    await answer(api.DELETE('/me/sessions'));
    await renew(t('settings:sessions.othersEnded'));
  };
  const list = sessions.data?.data ?? [];
  return (
    <Section
      title={t('settings:sessions.title')}
      text={t('settings:sessions.text')}
      action={
        list.length > 1 ? (
          <Button variant="default" onClick={() => void endOthers().catch(sayError)}>
            {t('settings:sessions.endOthers')}
          </Button>
        ) : null
      }
    >
      {sessions.error === null ? (
        <Rows>
          {list.map(({ id, user_agent, address, last_seen_at, is_current }) => (
            <Row
              key={id}
              icon={<Monitor size={17} aria-hidden />}
              title={deviceOf(user_agent)}
              text={
                <>
                  {address} · <Time at={last_seen_at} />
                </>
              }
            >
              {is_current ? (
                <StatusBadge tone="good" icon={CircleCheck} label={t('settings:sessions.current')} />
              ) : (
                <Button variant="default" onClick={() => void end(id).catch(sayError)}>
                  {t('settings:sessions.end')}
                </Button>
              )}
            </Row>
          ))}
        </Rows>
      ) : (
        <ErrorState error={sessions.error} retry={() => void sessions.refetch()} />
      )}
    </Section>
  );
}
