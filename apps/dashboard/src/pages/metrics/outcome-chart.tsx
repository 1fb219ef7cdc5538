import { BarChart } from '@mantine/charts';
import '@mantine/charts/styles.css';
import { useTranslation } from 'react-i18next';
import { niceTicks } from '../../logic/axis';
import { Brush } from './brush';
import styles from './charts.module.css';
import { axisOfPeriods, shownStates, type MetricRow } from './metric-series';

interface OutcomeChartProps {
  readonly rows: readonly MetricRow[];
  readonly open: (period: string, statuses?: readonly string[]) => void;
  readonly choose: (first: number, last: number) => void;
}

/** Outcomes stacked by time. A click on a part opens the mails behind it, dragging chooses a span of time. */
export function OutcomeChart({ rows, open, choose }: OutcomeChartProps) {
  const { t, i18n } = useTranslation();
  const compact = new Intl.NumberFormat(i18n.language, { notation: 'compact' });
  const number = new Intl.NumberFormat(i18n.language);
  const shown = shownStates.filter(({ key }) => rows.some((row) => Number(row[key] ?? 0) > 0));
  const highest = Math.max(0, ...rows.map((row) => shown.reduce((sum, { key }) => sum + Number(row[key] ?? 0), 0)));
  const ticks = niceTicks(highest, { whole: true });
  return (
    <Brush count={rows.length} kind="bars" choose={choose}>
      <div className={styles.chart}>
        <BarChart
          h={320}
          data={rows as unknown as Record<string, unknown>[]}
          type="stacked"
          withLegend
          legendProps={{ verticalAlign: 'bottom', height: 32 }}
          gridAxis="x"
          tickLine="none"
          strokeDasharray="0"
          gridColor="var(--line)"
          textColor="var(--text-3)"
          maxBarWidth={48}
          {...axisOfPeriods(rows)}
          yAxisProps={{
            ticks,
            domain: [0, ticks.at(-1) ?? 1],
            width: 48,
            tickFormatter: (value: number) => compact.format(value),
          }}
          valueFormatter={(value) => number.format(value)}
          series={shown.map(({ key, color }) => ({ name: key, color, label: t(`metrics:metric.${key}`) }))}
          barProps={({ name }) => ({
            isAnimationActive: false,
            className: `outcome-${name}`,
            cursor: 'pointer',
            onClick: (bar: { payload?: MetricRow }) => {
              const state = shownStates.find(({ key }) => key === name);
              if (bar.payload !== undefined) open(bar.payload.period, state?.statuses);
            },
          })}
          barChartProps={{ accessibilityLayer: false, margin: { top: 8, right: 4 } }}
          aria-hidden
        />
      </div>
    </Brush>
  );
}
