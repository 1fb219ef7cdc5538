import { Flex } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Schema } from '../../api/client';
import { shortPercent } from '../../logic/axis';
import { Panel } from '../../parts/panel';
import styles from './domain-insights.module.css';

type Insights = Schema<'DomainInsightsResponse'>;
type Part = Schema<'ScorePartResponse'>;

/** The parts whose evidence is a rate of the totals. */
const rateOfPart: Readonly<Record<string, string>> = {
  complaints: 'complaint_rate',
  addresses: 'bad_address_rate',
  spam: 'spam_refusal_rate',
};

/** The score as the sum of its parts, each with what was seen and what would raise it. */
export function ScorePanel({
  insights,
  score,
}: {
  readonly insights: Insights;
  readonly score: Schema<'DomainScoreResponse'>;
}) {
  const { t } = useTranslation();
  return (
    <Panel title={t('insights:score.title')} text={t('insights:score.text')}>
      <div className={styles.score}>
        <Flex component="p" direction="column" align="flex-start">
          <span className={styles.value}>{score.value}</span> <span className="quiet">{t('insights:score.of')}</span>
        </Flex>
        <ul className={styles.parts}>
          {score.parts.map((part) => (
            <li key={part.id} className={styles.scorePart}>
              <Flex gap={12} align="baseline">
                <h3 className={styles.partTitle}>{t(`insights:part.${part.id}.title`)}</h3>
                <span className={styles.points}>
                  {t('insights:score.points', { points: part.points, max: part.max })}
                </span>
              </Flex>
              <span className={styles.track} aria-hidden>
                <span className={styles.fill} style={{ width: `${(part.points / part.max) * 100}%` }} />
              </span>
              <Evidence part={part} insights={insights} />
            </li>
          ))}
        </ul>
      </div>
    </Panel>
  );
}

function Evidence({ part, insights }: { readonly part: Part; readonly insights: Insights }) {
  const { t, i18n } = useTranslation();
  const number = new Intl.NumberFormat(i18n.language);
  const [count, of] = figuresOf(part.id, insights);
  const isMeasured = part.id === 'authentication' || !isUnmeasured(part.id, insights);
  const values = {
    count: number.format(count),
    of: number.format(of),
    share: shortPercent(of === 0 ? 0 : (count / of) * 100, i18n.language),
  };
  return (
    <p className={styles.evidence}>
      {!isMeasured
        ? t('insights:score.unmeasured')
        : part.id === 'authentication'
          ? t(part.fix === null ? 'insights:part.authentication.fine' : 'insights:part.authentication.missing')
          : t(`insights:part.${part.id}.seen`, values)}
      {part.fix === null || !isMeasured ? null : <> {t(`insights:part.${part.id}.fix`)}</>}
    </p>
  );
}

function figuresOf(part: string, { totals, reports }: Insights): readonly [count: number, of: number] {
  const rate = totals.rates.find(({ id }) => id === rateOfPart[part]);
  if (rate !== undefined) return [rate.count, rate.of];
  if (part === 'alignment') return [reports.dmarc_passed, reports.dmarc_messages];
  const { verified, opportunistic, none } = totals.tls;
  return [verified + opportunistic, verified + opportunistic + none];
}

function isUnmeasured(part: string, insights: Insights): boolean {
  const rate = insights.totals.rates.find(({ id }) => id === rateOfPart[part]);
  return rate === undefined ? figuresOf(part, insights)[1] === 0 : rate.status === 'not_measured';
}
