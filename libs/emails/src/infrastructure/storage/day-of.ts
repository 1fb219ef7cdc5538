/** The UTC day of a moment, `2026-11-22`: stored messages are kept by day, so that retention removes whole days. */
export function dayOf(moment: Date): string {
  return moment.toISOString().slice(0, 10);
}
