import { useTranslation } from 'react-i18next';
import type { Schema } from '../../api/client';
import { shortPercent } from '../../logic/axis';
import { parseTime } from '../../logic/moments';
import { HttpStatus } from '../../parts/http-status';
import { Facts, Panel } from '../../parts/panel';
import { Time } from '../../parts/time';
import section from '../../parts/layout.module.css';
import styles from './webhooks.module.css';

/** How the calls of an endpoint end, and when the next one is made. */
export function WebhookHealth({ health }: { readonly health: Schema<'WebhookHealthResponse'> }) {
  const { t } = useTranslation();
  const { failing_since: since, reason, last_called_at: last, next_attempt_at: next, success_rate: rate } = health;
  const items = [
    [t('webhooks:health.since'), since === null ? null : <Time key="since" at={since} />],
    [t('webhooks:health.reason'), reason],
    [
      t('webhooks:health.last'),
      last === null ? (
        t('webhooks:health.never')
      ) : (
        <span key="last" className={section.row}>
          <Answer status={health.last_http_status_code ?? 0} /> <Time at={last} />
        </span>
      ),
    ],
    [t('webhooks:health.next'), next === null ? null : <NextAttempt key="next" at={next} />],
    [t('webhooks:health.rate'), rate === null ? null : <RateText key="rate" rate={rate} calls={health.calls} />],
  ] as const;
  return (
    <Panel title={t('webhooks:health.title')}>
      <Facts items={items.filter(([, value]) => value !== null)} />
    </Panel>
  );
}

/** The one thing about its health that a list has room for. */
export function HealthLine({ health }: { readonly health: Schema<'WebhookHealthResponse'> }) {
  const { t } = useTranslation();
  const { failing_since: since, success_rate: rate, last_called_at: last } = health;
  if (since !== null)
    return (
      <span className="cut" title={health.reason ?? undefined}>
        {t('webhooks:health.since')} <Time at={since} />
      </span>
    );
  if (rate === null)
    return (
      <span className="quiet">
        {last === null ? t('webhooks:health.never') : t('webhooks:health.last')}{' '}
        {last === null ? null : <Time at={last} />}
      </span>
    );
  return <RateText rate={rate} calls={health.calls} />;
}

/** Rounded down, so that one failure of many does not read as 100 %. */
function RateText({ rate, calls }: { readonly rate: number; readonly calls: number }) {
  const { t, i18n } = useTranslation();
  const number = new Intl.NumberFormat(i18n.language).format(calls);
  return t('webhooks:health.of', { rate: shortPercent(Math.floor(rate * 1_000) / 10, i18n.language), calls: number });
}

/** A time that has passed says nothing about when the call is made. */
export function NextAttempt({ at }: { readonly at: string }) {
  const { t } = useTranslation();
  return parseTime(at).getTime() <= Date.now() ? t('webhooks:health.nextNow') : <Time at={at} />;
}

function Answer({ status }: { readonly status: number }) {
  const { t } = useTranslation();
  return status === 0 ? <span>{t('webhooks:health.noAnswer')}</span> : <HttpStatus status={status} plain />;
}

/** What an endpoint answered to a test event. */
export function TestAnswer({ answer }: { readonly answer: Schema<'TestedWebhookResponse'> }) {
  const { t } = useTranslation();
  return (
    <div role="status">
      <Panel title={t('webhooks:testResult.title')}>
        <p className={section.row}>
          <Answer status={answer.http_status_code} />
          <span className="quiet">{t('webhooks:testResult.duration', { ms: answer.duration_ms })}</span>
        </p>
        {answer.response === '' ? (
          <p className="quiet">{t('webhooks:testResult.empty')}</p>
        ) : (
          <pre className={styles.response}>{answer.response}</pre>
        )}
      </Panel>
    </div>
  );
}
