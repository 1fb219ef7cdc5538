/**
 * The stored counts of email events, per recipient, of received emails, and of people who unsubscribed. `unique_*`:
 * only the first by a human, per recipient.
 */
export const storedCounts = [
  'sent',
  'delivered',
  'delivery_delayed',
  'bounced',
  'bounced_transient',
  'bounced_permanent',
  'complained',
  'suppressed',
  'failed',
  'opened',
  'clicked',
  'unique_opened',
  'unique_clicked',
  'received',
  'unsubscribed',
] as const;

export type StoredCount = (typeof storedCounts)[number];
export type Counts = Readonly<Record<StoredCount, number>>;

/** Every metric, in the order of the contract (docs/wire-contract.md section 7.8). */
export const metrics = [
  'received',
  'delivered',
  'complained',
  'suppressed',
  'bounced',
  'bounced_transient',
  'bounced_permanent',
  'bounced_undetermined',
  'opened',
  'clicked',
  'unsubscribed',
  'delivery_delayed',
  'failed',
  'sent',
  'unique_opened',
  'unique_clicked',
  'delivery_rate',
  'open_rate',
  'click_rate',
  'bounce_rate',
  'complaint_rate',
  'unsubscribe_rate',
] as const;

export type Metric = (typeof metrics)[number];

/** The chosen metrics, in the chosen order. */
export function metricsOf(counts: Counts, chosen: readonly Metric[]): Record<string, number> {
  return Object.fromEntries(chosen.map((metric) => [metric, valueOf(metric, counts)]));
}

function valueOf(metric: Metric, counts: Counts): number {
  switch (metric) {
    case 'bounced_undetermined':
      return counts.bounced - counts.bounced_transient - counts.bounced_permanent;
    case 'delivery_rate':
      return percentage(counts.delivered, counts.sent);
    case 'bounce_rate':
      return percentage(counts.bounced, counts.sent);
    case 'open_rate':
      return percentage(counts.unique_opened, counts.delivered);
    case 'click_rate':
      return percentage(counts.unique_clicked, counts.delivered);
    case 'complaint_rate':
      return percentage(counts.complained, counts.delivered);
    case 'unsubscribe_rate':
      return percentage(counts.unsubscribed, counts.delivered);
    default:
      return counts[metric];
  }
}

/** In percent, to two decimal places. 0 if `whole` is 0. */
function percentage(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((part / whole) * 10_000) / 100;
}
