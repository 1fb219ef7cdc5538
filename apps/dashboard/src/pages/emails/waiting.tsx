import { CalendarClock, Hourglass } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Countdown, Time } from '../../parts/time';
import type { TraceRecipient } from './email-queries';
import { Entry } from './entry';
import styles from './waiting.module.css';

interface WaitingProps {
  readonly recipient: TraceRecipient;
  readonly scheduledAt: string | null;
}

/** What keeps it from going now, and when it goes. */
export function Waiting({ recipient, scheduledAt }: WaitingProps) {
  const { t } = useTranslation();
  const { held_by: hold, next_attempt_at: next, status } = recipient;
  if (status === 'scheduled' && scheduledAt !== null) {
    return (
      <Entry icon={CalendarClock} tone="info" title={t('emails:waiting.schedule')}>
        <p className={styles.count}>
          <Countdown to={scheduledAt} ended={t('emails:waiting.now')} />
        </p>
        <Time at={scheduledAt} form="exact" />
      </Entry>
    );
  }
  if (hold === null && next === null) return null;
  return (
    <Entry icon={Hourglass} tone="wait" title={t(`emails:waiting.${hold?.kind ?? 'turn'}`)}>
      {next === null ? null : (
        <p className={styles.count}>
          <Countdown to={next} ended={t('emails:waiting.now')} />
        </p>
      )}
      {hold === null ? null : <p>{hold.reason}</p>}
      {hold?.limit === null || hold?.limit === undefined ? null : (
        <dl className={styles.limits}>
          <div>
            <dt>{t('emails:waiting.connections')}</dt>
            <dd>
              {t('emails:waiting.of', { current: hold.limit.connections.current, most: hold.limit.connections.most })}
            </dd>
          </div>
          <div>
            <dt>{t('emails:waiting.perMinute')}</dt>
            <dd>
              {t('emails:waiting.of', {
                current: hold.limit.messages_per_minute.current,
                most: hold.limit.messages_per_minute.most,
              })}
            </dd>
          </div>
        </dl>
      )}
    </Entry>
  );
}
