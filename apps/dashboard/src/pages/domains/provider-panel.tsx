import { Flex } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { ChevronRight, CircleCheck, CircleDashed, CircleX, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schema } from '../../api/client';
import { shortPercent } from '../../logic/axis';
import { duration } from '../../logic/moments';
import { nameOfProvider } from '../../logic/mail-hosts';
import { Figure, Figures } from '../../parts/panel';
import { StatusBadge, unknownState, type StateLook } from '../../parts/status-badge';
import styles from './domain-insights.module.css';
import { OutcomeDays } from './outcome-days';

type Provider = Schema<'ProviderInsightsResponse'>;
type Rate = Schema<'ProviderRateResponse'>;
type Refusal = Schema<'ProviderRefusalResponse'>;

export const looks: Readonly<Record<string, StateLook>> = {
  problem: { tone: 'bad', icon: CircleX },
  warning: { tone: 'wait', icon: TriangleAlert },
  good: { tone: 'good', icon: CircleCheck },
  not_measured: { tone: 'flat', icon: CircleDashed },
};
/** The worst first. */
const statuses = ['problem', 'warning', 'good', 'not_measured'] as const;

/** One mailbox provider: its figures in a line, and behind them rates, refusals with their replies, and days. */
export function ProviderPanel({ of, isOpen }: { readonly of: Provider; readonly isOpen: boolean }) {
  const { t, i18n } = useTranslation();
  const [opened, setOpened] = useState(isOpen);
  const number = new Intl.NumberFormat(i18n.language);
  const worst = statuses.find((status) => of.rates.some((rate) => rate.status === status)) ?? 'not_measured';
  const { tone, icon } = looks[worst] ?? unknownState;
  const name = of.provider === 'others' ? t('insights:providers.others') : nameOfProvider(of.provider);
  return (
    <details className={styles.provider} open={opened} onToggle={(event) => setOpened(event.currentTarget.open)}>
      <summary className={styles.summary}>
        <ChevronRight size={15} className={styles.chevron} aria-hidden />
        <span className={styles.name}>{name}</span>
        <span className={styles.volume}>
          {t('insights:providers.delivered', { count: number.format(of.delivered) })}
        </span>
        <StatusBadge tone={tone} icon={icon} label={t(`insights:status.${worst}`)} />
      </summary>
      {opened ? <Behind of={of} name={name} /> : null}
    </details>
  );
}

function Behind({ of, name }: { readonly of: Provider; readonly name: string }) {
  const { t, i18n } = useTranslation();
  const number = new Intl.NumberFormat(i18n.language);
  const { verified, opportunistic, none } = of.tls;
  const connections = verified + opportunistic + none;
  const time = (seconds: number | null): string => (seconds === null ? '–' : duration(seconds * 1_000, i18n.language));
  return (
    <div className={styles.behind}>
      <Figures>
        <Figure label={t('insights:figure.deferred')} value={number.format(of.deferred)} />
        <Figure label={t('insights:figure.bounced')} value={number.format(of.bounced)} />
        <Figure
          label={t('insights:figure.encrypted')}
          value={
            connections === 0 ? '–' : shortPercent(((verified + opportunistic) / connections) * 100, i18n.language, 1)
          }
          note={verified === 0 ? undefined : t('insights:figure.verified', { count: number.format(verified) })}
        />
        <Figure
          label={t('insights:figure.half')}
          value={time(of.time_to_deliver.p50)}
          note={t('insights:figure.most', { time: time(of.time_to_deliver.p95) })}
        />
        <Figure
          label={t('insights:figure.opened')}
          value={number.format(of.opened)}
          note={t('insights:figure.unsubscribed', { count: of.unsubscribed, number: number.format(of.unsubscribed) })}
        />
      </Figures>
      <OutcomeDays days={of.days} label={t('insights:daysOf', { provider: name })} />
      <ul className={styles.rates}>
        {of.rates.map((rate) => (
          <RateLine key={rate.id} rate={rate} />
        ))}
      </ul>
      {of.refusals.length === 0 ? null : (
        <>
          <h3 className={styles.subtitle}>{t('insights:refusals.title')}</h3>
          <ul className={styles.refusals}>
            {of.refusals.map((refusal) => (
              <RefusalLine key={`${refusal.outcome} ${refusal.category}`} refusal={refusal} receiver={name} />
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

function RateLine({ rate }: { readonly rate: Rate }) {
  const { t, i18n } = useTranslation();
  const percent = (value: number): string => shortPercent(value, i18n.language);
  const number = new Intl.NumberFormat(i18n.language);
  const { tone, icon } = looks[rate.status] ?? unknownState;
  const limits =
    rate.warning === null
      ? t('insights:rate.limit', { problem: percent(rate.problem) })
      : t('insights:rate.limits', { warning: percent(rate.warning), problem: percent(rate.problem) });
  return (
    <li className={styles.rate}>
      <Flex gap={12} align="center">
        <span className={styles.rateName}>{t(`insights:rate.${rate.id}`)}</span>
        <span className={styles.rateValue}>{rate.percent === null ? '–' : percent(rate.percent)}</span>
        <StatusBadge tone={tone} icon={icon} label={t(`insights:status.${rate.status}`)} plain />
      </Flex>
      <p className="quiet">
        {t('insights:rate.counted', { count: number.format(rate.count), of: number.format(rate.of) })} {limits}{' '}
        <a href={rate.source.url} target="_blank" rel="noreferrer">
          {rate.source.title}
        </a>
      </p>
    </li>
  );
}

function RefusalLine({ refusal, receiver }: { readonly refusal: Refusal; readonly receiver: string }) {
  const { t, i18n } = useTranslation();
  const { outcome, category, count, reply, email_id: emailId } = refusal;
  return (
    <li className={styles.refusal}>
      <p>
        <strong>
          {t(`insights:refusals.${outcome}`, { count, number: new Intl.NumberFormat(i18n.language).format(count) })}
        </strong>{' '}
        {t(category === 'unreachable' ? 'insights:refusals.unreachable' : `emails:reason.${category}.text`, {
          receiver,
        })}
      </p>
      {reply === null ? null : <code className={styles.reply}>{reply}</code>}
      {emailId === null ? null : (
        <Link to="/app/emails/$emailId" params={{ emailId }} className={styles.example}>
          {t('insights:refusals.example')}
        </Link>
      )}
    </li>
  );
}
