import { Tooltip } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { phaseBars } from '../../logic/email-story';
import { localeOf } from '../../words/words';
import type { TraceAttempt } from './email-queries';
import styles from './phases.module.css';

/** How the time of an attempt was spent: one line for each phase, where it began and how long it took. */
export function PhasesOf({ attempt }: { readonly attempt: TraceAttempt }) {
  const { t, i18n } = useTranslation();
  const bars = phaseBars(attempt.timings_ms, attempt.duration_ms);
  if (bars.length === 0) return null;
  const number = new Intl.NumberFormat(localeOf(i18n.language), { maximumFractionDigits: 0 });
  return (
    <table className={styles.phases}>
      <caption className="visually-hidden">{t('emails:phase.caption')}</caption>
      <tbody>
        {bars.map(({ phase, ms, from, share }, index) => (
          <tr key={phase}>
            <th scope="row">{t(`emails:phase.${phase}.name`)}</th>
            <td className={styles.track}>
              <Tooltip label={t(`emails:phase.${phase}.text`)}>
                <span
                  className={styles.bar}
                  data-last={index === bars.length - 1 || undefined}
                  data-outcome={attempt.outcome}
                  data-phase={phase}
                  style={{ left: `${from * 100}%`, width: `max(3px, ${share * 100}%)` }}
                />
              </Tooltip>
            </td>
            <td className={styles.ms}>{t('emails:phase.ms', { ms: number.format(ms) })}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
