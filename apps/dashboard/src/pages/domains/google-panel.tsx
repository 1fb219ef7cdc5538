import { Flex, Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Schema } from '../../api/client';
import { shortPercent } from '../../logic/axis';
import { Figure, Figures, Panel } from '../../parts/panel';
import { StatusBadge, unknownState } from '../../parts/status-badge';
import styles from './domain-insights.module.css';
import { looks } from './provider-panel';

type Report = Schema<'GoogleReportResponse'>;
type Day = Schema<'GoogleDayResponse'>;

/** What Google Postmaster Tools says about the domain: the newest figures, and all days as a table. */
export function GooglePanel({ of }: { readonly of: Report }) {
  const { t } = useTranslation();
  const newest = of.days.at(-1);
  return (
    <Panel
      title={t('insights:google.title')}
      text={
        <>
          {t('insights:google.text')}{' '}
          <a className={styles.source} href={of.source.url} target="_blank" rel="noreferrer">
            {of.source.title}
          </a>
        </>
      }
    >
      {newest === undefined ? (
        <p className="quiet">
          {of.account === null ? t('insights:google.notAsked') : t('insights:google.none', { account: of.account })}
        </p>
      ) : (
        <Stack gap={12}>
          <Newest of={newest} />
          {of.spam_rate === null ? null : <SpamRate rate={of.spam_rate} />}
          <Errors of={newest} />
          <Days days={of.days} />
        </Stack>
      )}
    </Panel>
  );
}

function Newest({ of }: { readonly of: Day }) {
  const { t } = useTranslation();
  const { percent, date } = useWords();
  return (
    <>
      <p className="quiet">{t('insights:google.newest', { day: date(of.day) })}</p>
      <Figures>
        {(['spf', 'dkim', 'dmarc', 'tls_inbound'] as const).map((name) => (
          <Figure key={name} label={t(`insights:google.share.${name}`)} value={percent(of[name])} />
        ))}
        <Figure
          label={t('insights:google.share.rejected')}
          value={percent(of.rejected)}
          note={of.delayed === null ? undefined : t('insights:google.delayed', { share: percent(of.delayed) })}
        />
      </Figures>
    </>
  );
}

function SpamRate({ rate }: { readonly rate: Schema<'GoogleSpamRateResponse'> }) {
  const { t } = useTranslation();
  const { percent, date } = useWords();
  const { tone, icon } = looks[rate.status] ?? unknownState;
  return (
    <div className={styles.rate}>
      <Flex gap={12} align="center">
        <span className={styles.rateName}>{t('insights:google.share.spam')}</span>
        <span className={styles.rateValue}>{percent(rate.percent)}</span>
        <StatusBadge tone={tone} icon={icon} label={t(`insights:status.${rate.status}`)} plain />
      </Flex>
      <p className="quiet">
        {t('insights:google.spamOf', { day: date(rate.day) })}{' '}
        {t('insights:rate.limits', { warning: percent(rate.warning), problem: percent(rate.problem) })}{' '}
        <a href={rate.source.url} target="_blank" rel="noreferrer">
          {rate.source.title}
        </a>
      </p>
    </div>
  );
}

function Errors({ of: { errors } }: { readonly of: Day }) {
  const { t } = useTranslation();
  const { percent } = useWords();
  if (errors.length === 0) return null;
  return (
    <>
      <h3 className={styles.subtitle}>{t('insights:google.errors')}</h3>
      <ul className={styles.rates}>
        {errors.map(({ outcome, reason, percent: share }) => (
          <li key={`${outcome} ${reason}`} className={styles.rate}>
            <Flex gap={12} align="center">
              <span className={styles.rateName}>{t(`insights:google.reason.${reason}`)}</span>
              <span className={styles.rateValue}>{percent(share)}</span>
              <span className="quiet">
                {t(`insights:google.share.${outcome === 'rejected' ? 'rejected' : 'delayed'}`)}
              </span>
            </Flex>
          </li>
        ))}
      </ul>
    </>
  );
}

const columns = ['spam', 'dmarc', 'rejected', 'delayed'] as const;

function Days({ days }: { readonly days: readonly Day[] }) {
  const { t } = useTranslation();
  const { percent, date } = useWords();
  return (
    <details className={styles.dayTable}>
      <summary>{t('insights:table')}</summary>
      <table aria-label={t('insights:google.title')}>
        <thead>
          <tr>
            <th scope="col">{t('insights:day')}</th>
            {columns.map((name) => (
              <th key={name} scope="col" data-align="end">
                {t(`insights:google.share.${name}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {[...days].reverse().map((day) => (
            <tr key={day.day}>
              <th scope="row">{date(day.day)}</th>
              {columns.map((name) => (
                <td key={name} data-align="end">
                  {percent(day[name])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}

function useWords(): { percent: (value: number | null) => string; date: (day: string) => string } {
  const { i18n } = useTranslation();
  const format = new Intl.DateTimeFormat(i18n.language, { day: 'numeric', month: 'short', timeZone: 'UTC' });
  return {
    percent: (value) => (value === null ? '–' : shortPercent(value, i18n.language)),
    date: (day) => format.format(new Date(`${day}T00:00:00Z`)),
  };
}
