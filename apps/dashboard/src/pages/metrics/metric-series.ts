export interface MetricRow {
  readonly period: string;
  /** In full, for the tooltip and the table. */
  readonly label: string;
  /** Short, for the axis. */
  readonly tick: string;
  readonly [metric: string]: string | number;
}

/** The states that are shown of mail, in the colours of its states, from the bottom of a bar to its top. */
export const shownStates = [
  { key: 'delivered', color: 'var(--good-bar)', statuses: ['delivered', 'opened', 'clicked'] },
  { key: 'delivery_delayed', color: 'var(--wait-bar)', statuses: ['delivery_delayed'] },
  { key: 'suppressed', color: 'var(--flat-bar)', statuses: ['suppressed'] },
  { key: 'bounced', color: 'var(--bad-bar)', statuses: ['bounced'] },
  { key: 'failed', color: 'var(--act-bar)', statuses: ['failed'] },
] as const;

export function colorOf(state: (typeof shownStates)[number]['key']): string {
  return shownStates.find(({ key }) => key === state)?.color ?? '';
}

export interface Rate {
  readonly key: 'bounce_rate' | 'complaint_rate';
  readonly count: 'bounced' | 'complained';
  readonly color: string;
  /** Lines that are drawn and named, in percent. The last one is the limit. */
  readonly thresholds: readonly { readonly value: number; readonly label: string }[];
}

/** Google and Yahoo publish 0.1 % as the aim and 0.3 % as the limit for complaints; 5 % of bounces is where providers act. */
export const rates: readonly Rate[] = [
  {
    key: 'bounce_rate',
    count: 'bounced',
    color: 'var(--bad-bar)',
    thresholds: [
      { value: 2, label: 'aim' },
      { value: 5, label: 'limit' },
    ],
  },
  {
    key: 'complaint_rate',
    count: 'complained',
    color: 'var(--wait-bar)',
    thresholds: [
      { value: 0.1, label: 'aim' },
      { value: 0.3, label: 'limit' },
    ],
  },
];

/** Periods from left to right: short on the axis, in full beside the pointer. */
export function axisOfPeriods(rows: readonly MetricRow[]) {
  const byPeriod = new Map(rows.map((row) => [row.period, row]));
  return {
    dataKey: 'period',
    xAxisProps: {
      tickFormatter: (period: string) => byPeriod.get(period)?.tick ?? period,
      minTickGap: 16,
      interval: 'equidistantPreserveStart' as const,
    },
    tooltipProps: { labelFormatter: (period: unknown) => byPeriod.get(String(period))?.label ?? String(period) },
  };
}
