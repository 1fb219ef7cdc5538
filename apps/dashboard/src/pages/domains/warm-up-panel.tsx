import { Button, Flex } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { CheckCheck, Clock, Flame, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { answer, api, type Schema } from '../../api/client';
import { shortPercent } from '../../logic/axis';
import { Confirm } from '../../parts/confirm';
import { Panel } from '../../parts/panel';
import { say } from '../../parts/say';
import { StatusBadge } from '../../parts/status-badge';
import { Time } from '../../parts/time';
import styles from './domain-insights.module.css';
import { providerName } from './provider-name';

type WarmUp = Schema<'DomainWarmUpResponse'>;
type Provider = Schema<'WarmUpProviderResponse'>;

/** How far the domain is warmed up, by provider. Starts and stops it. */
export function WarmUpPanel({ domainId, mayWrite }: { readonly domainId: string; readonly mayWrite: boolean }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [asked, setAsked] = useState<'start' | 'stop'>();
  const params = { params: { path: { id: domainId } } };
  const warmUp = useQuery({
    queryKey: ['domain', domainId, 'warm-up'],
    queryFn: () => answer(api.GET('/domains/{id}/warm-up', params)),
    refetchInterval: 30_000,
  });
  const { data } = warmUp;
  if (data === undefined) return null;
  const runs = data.status === 'running';
  const next = runs ? 'stop' : 'start';
  return (
    <Panel
      title={t('insights:warmUp.title')}
      text={<Text warmUp={data} />}
      aside={
        mayWrite ? (
          <Button variant="default" onClick={() => setAsked(next)}>
            {t(`insights:warmUp.${next}`)}
          </Button>
        ) : undefined
      }
    >
      {!runs ? null : data.data.length === 0 ? (
        <p className="quiet">{t('insights:warmUp.noMail')}</p>
      ) : (
        <ul className={styles.steps}>
          {data.data.map((provider) => (
            <Progress key={provider.provider} of={provider} days={data.schedule.length} />
          ))}
        </ul>
      )}
      <Confirm
        opened={asked !== undefined}
        close={() => setAsked(undefined)}
        title={t(`insights:warmUp.${asked ?? next}Title`, { domain: data.name })}
        action={t(`insights:warmUp.${asked ?? next}`)}
        run={async () => {
          if (asked === 'stop') await answer(api.DELETE('/domains/{id}/warm-up', params));
          else await answer(api.PUT('/domains/{id}/warm-up', { ...params, body: {} }));
          say(t(`insights:warmUp.${asked === 'stop' ? 'stopped' : 'started'}`));
          void client.invalidateQueries({ queryKey: ['domain', domainId, 'warm-up'] });
        }}
      >
        {t(`insights:warmUp.${asked ?? next}Text`)}
      </Confirm>
    </Panel>
  );
}

function Text({ warmUp: { status, projected_end: end, ended_at: ended } }: { readonly warmUp: WarmUp }) {
  const { t } = useTranslation();
  if (status === 'ended' && ended !== null) {
    return (
      <>
        {t('insights:warmUp.ended')} <Time at={ended} />.
      </>
    );
  }
  if (end === null) return <>{t('insights:warmUp.text')}</>;
  return (
    <>
      {t('insights:warmUp.ends')} <Time at={end} />.
    </>
  );
}

function Progress({ of, days }: { readonly of: Provider; readonly days: number }) {
  const { t, i18n } = useTranslation();
  const number = (value: number): string => new Intl.NumberFormat(i18n.language).format(value);
  const name = providerName(of.provider, t);
  const sent = t('insights:warmUp.sent', { count: of.limit, sent: number(of.sent_today), limit: number(of.limit) });
  return (
    <li className={styles.step}>
      <Flex gap={12} align="center">
        <h3 className={styles.partTitle}>{name}</h3>
        <StateBadge of={of} />
      </Flex>
      {of.is_done ? null : (
        <>
          <p className={styles.evidence}>
            {t('insights:warmUp.day', { day: of.day, days })} · {sent}
            {of.next_at === null ? null : (
              <>
                {' · '}
                {t('insights:warmUp.next')} <Time at={of.next_at} />
              </>
            )}
          </p>
          <span className={styles.track} aria-hidden>
            <span className={styles.fill} style={{ width: `${Math.min(100, (of.sent_today / of.limit) * 100)}%` }} />
          </span>
          <LastDay of={of} />
        </>
      )}
    </li>
  );
}

function StateBadge({ of }: { readonly of: Provider }) {
  const { t } = useTranslation();
  if (of.is_done) return <StatusBadge tone="good" icon={CheckCheck} label={t('insights:warmUp.state.done')} />;
  if (of.is_slowed) return <StatusBadge tone="bad" icon={TriangleAlert} label={t('insights:warmUp.state.slowed')} />;
  if (of.is_waiting) return <StatusBadge tone="wait" icon={Clock} label={t('insights:warmUp.state.waiting')} />;
  return <StatusBadge tone="info" icon={Flame} label={t('insights:warmUp.state.going')} />;
}

/** Why the limit stayed as it was. */
function LastDay({ of: { last_day: day } }: { readonly of: Provider }) {
  const { t, i18n } = useTranslation();
  if (day === null || day.decision === 'advanced') return null;
  const number = (value: number): string => new Intl.NumberFormat(i18n.language).format(value);
  return (
    <p className={styles.evidence}>
      {t(`insights:warmUp.lastDay.${day.decision}`, {
        bad: number(day.deferred_or_refused),
        sent: number(day.sent),
        limit: number(day.limit),
        share: shortPercent(day.percent, i18n.language, 1),
      })}
    </p>
  );
}
