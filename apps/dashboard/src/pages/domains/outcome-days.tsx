import { Flex } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Schema } from '../../api/client';
import styles from './domain-insights.module.css';

type Day = Schema<'OutcomesOfDayResponse'>;

const parts = [
  { key: 'delivered', color: 'var(--good-bar)' },
  { key: 'deferred', color: 'var(--wait-bar)' },
  { key: 'bounced', color: 'var(--bad-bar)' },
] as const;

interface OutcomeDaysProps {
  readonly days: readonly Day[];
  readonly label: string;
}

/** Outcomes by day as bars. Below it, for those who do not see it and for exact figures, a table. */
export function OutcomeDays({ days, label }: OutcomeDaysProps) {
  const { t, i18n } = useTranslation();
  const number = new Intl.NumberFormat(i18n.language);
  const date = new Intl.DateTimeFormat(i18n.language, { day: 'numeric', month: 'short', timeZone: 'UTC' });
  const named = (day: string): string => date.format(new Date(`${day}T00:00:00Z`));
  const sizeOf = (day: Day): number => parts.reduce((sum, { key }) => sum + day[key], 0);
  const highest = Math.max(1, ...days.map(sizeOf));
  return (
    <div>
      <div className={styles.bars} aria-hidden>
        {days.map((day) => (
          <Flex
            key={day.day}
            component="span"
            direction="column-reverse"
            flex="1 1 0"
            maw={32}
            h="100%"
            title={`${named(day.day)}: ${number.format(sizeOf(day))}`}
          >
            {parts.map(({ key, color }) => (
              <span key={key} style={{ height: `${(day[key] / highest) * 100}%`, background: color }} />
            ))}
          </Flex>
        ))}
      </div>
      <details className={styles.dayTable}>
        <summary>{t('insights:table')}</summary>
        <table aria-label={label}>
          <thead>
            <tr>
              <th scope="col">{t('insights:day')}</th>
              {parts.map(({ key }) => (
                <th key={key} scope="col" data-align="end">
                  {t(`insights:figure.${key}`)}
                </th>
              ))}
              <th scope="col" data-align="end">
                {t('insights:figure.complained')}
              </th>
            </tr>
          </thead>
          <tbody>
            {[...days].reverse().map((day) => (
              <tr key={day.day}>
                <th scope="row">{named(day.day)}</th>
                {parts.map(({ key }) => (
                  <td key={key} data-align="end">
                    {number.format(day[key])}
                  </td>
                ))}
                <td data-align="end">{number.format(day.complained)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </div>
  );
}
