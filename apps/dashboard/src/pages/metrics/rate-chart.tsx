import { LineChart } from '@mantine/charts';
import '@mantine/charts/styles.css';
import { useTranslation } from 'react-i18next';
import { niceTicks, shortPercent } from '../../logic/axis';
import { Brush } from './brush';
import styles from './charts.module.css';
import { axisOfPeriods, type MetricRow, type Rate } from './metric-series';

interface RateChartProps {
  readonly rows: readonly MetricRow[];
  readonly rate: Rate;
  readonly open: (period: string) => void;
  readonly choose: (first: number, last: number) => void;
}

/**
 * A rate as a line, with the thresholds that receivers publish. A click opens the mails behind the point, dragging chooses a span
 * of time.
 */
export function RateChart({ rows, rate, open, choose }: RateChartProps) {
  const { t, i18n } = useTranslation();
  const highest = Math.max(...rows.map((row) => Number(row[rate.key] ?? 0)), 0);
  const limit = rate.thresholds.at(-1)?.value ?? 0;
  const ticks = niceTicks(Math.min(100, Math.max(highest, limit * 1.2)), { most: 4 });
  return (
    <Brush count={rows.length} kind="points" choose={choose}>
      <div className={styles.chart}>
        <LineChart
          h={200}
          data={rows as unknown as Record<string, unknown>[]}
          gridAxis="x"
          tickLine="none"
          strokeDasharray="0"
          gridColor="var(--line)"
          textColor="var(--text-3)"
          curveType="linear"
          withDots={rows.length < 40}
          strokeWidth={2}
          {...axisOfPeriods(rows)}
          yAxisProps={{
            ticks,
            domain: [0, ticks.at(-1) ?? 1],
            width: 56,
            tickFormatter: (value: number) => shortPercent(value, i18n.language),
          }}
          valueFormatter={(value) => shortPercent(value, i18n.language)}
          series={[{ name: rate.key, color: rate.color, label: t(`metrics:rate.${rate.key}`) }]}
          referenceLines={rate.thresholds.map(({ value, label }) => ({
            y: value,
            label: `${t(`metrics:threshold.${label}`)} ${shortPercent(value, i18n.language)}`,
            color: label === 'limit' ? 'var(--bad)' : 'var(--text-3)',
            labelPosition: 'insideBottomLeft' as const,
            strokeDasharray: '4 4',
          }))}
          lineProps={{ isAnimationActive: false }}
          activeDotProps={{
            r: 5,
            cursor: 'pointer',
            onClick: (_event: unknown, dot: unknown) => {
              const { payload } = dot as { payload?: MetricRow };
              if (payload !== undefined) open(payload.period);
            },
          }}
          lineChartProps={{ accessibilityLayer: false, margin: { top: 8, right: 4 } }}
          aria-hidden
        />
      </div>
    </Brush>
  );
}
