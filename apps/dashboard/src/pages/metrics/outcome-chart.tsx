import { BarChart } from '@mantine/charts';
import '@mantine/charts/styles.css';
import { useTranslation } from 'react-i18next';
import styles from './charts.module.css';
import { outcomes, type MetricRow } from './metric-series';

interface OutcomeChartProps {
  readonly rows: readonly MetricRow[];
  readonly open: (period: string, statuses?: readonly string[]) => void;
}

/** Outcomes stacked by time. A click on a part opens the mails behind it. */
export function OutcomeChart({ rows, open }: OutcomeChartProps) {
  const { t, i18n } = useTranslation();
  const number = new Intl.NumberFormat(i18n.language, { notation: 'compact' });
  const shown = outcomes.filter(({ key }) => rows.some((row) => Number(row[key] ?? 0) > 0));
  return (
    <div className={styles.chart}>
      <BarChart
        h={320}
        data={rows as unknown as Record<string, unknown>[]}
        dataKey="label"
        type="stacked"
        withLegend
        legendProps={{ verticalAlign: 'bottom', height: 32 }}
        gridAxis="x"
        tickLine="none"
        strokeDasharray="0"
        maxBarWidth={48}
        valueFormatter={(value) => number.format(value)}
        series={shown.map(({ key, color }) => ({ name: key, color, label: t(`metrics:metric.${key}`) }))}
        barProps={({ name }) => ({
          isAnimationActive: false,
          className: `outcome-${name}`,
          cursor: 'pointer',
          onClick: (bar: { payload?: MetricRow }) => {
            const outcome = outcomes.find(({ key }) => key === name);
            if (bar.payload !== undefined) open(bar.payload.period, outcome?.statuses);
          },
        })}
        barChartProps={{ accessibilityLayer: false }}
        aria-hidden
      />
    </div>
  );
}
