import { LineChart } from '@mantine/charts';
import '@mantine/charts/styles.css';
import { useTranslation } from 'react-i18next';
import styles from './charts.module.css';
import type { MetricRow, Rate } from './metric-series';

interface RateChartProps {
  readonly rows: readonly MetricRow[];
  readonly rate: Rate;
  readonly open: (period: string) => void;
}

/** A rate as a line, with the thresholds that receivers publish. A click opens the mails behind the point. */
export function RateChart({ rows, rate, open }: RateChartProps) {
  const { t, i18n } = useTranslation();
  const percent = new Intl.NumberFormat(i18n.language, { maximumFractionDigits: 2 });
  const highest = Math.max(...rows.map((row) => Number(row[rate.key] ?? 0)), 0);
  const limit = rate.thresholds.at(-1)?.value ?? 0;
  return (
    <div className={styles.chart}>
      <LineChart
        h={200}
        data={rows as unknown as Record<string, unknown>[]}
        dataKey="label"
        gridAxis="x"
        tickLine="none"
        strokeDasharray="0"
        curveType="linear"
        withDots={rows.length < 40}
        strokeWidth={2}
        yAxisProps={{ domain: [0, Math.max(highest * 1.15, limit * 1.25)], width: 56 }}
        valueFormatter={(value) => `${percent.format(value)} %`}
        series={[{ name: rate.key, color: rate.color, label: t(`metrics:rate.${rate.key}`) }]}
        referenceLines={rate.thresholds.map(({ value, label }) => ({
          y: value,
          label: `${t(`metrics:threshold.${label}`)} ${percent.format(value)} %`,
          color: label === 'limit' ? 'var(--bad)' : 'var(--text-3)',
          labelPosition: 'insideTopRight' as const,
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
        lineChartProps={{ accessibilityLayer: false }}
        aria-hidden
      />
    </div>
  );
}
