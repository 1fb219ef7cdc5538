/**
 * The UTC day of a moment, such as `2026-11-22`. Messages are stored by day, so that retention can remove whole days.
 */
export function dayOf(moment: Date): string {
  return moment.toISOString().slice(0, 10);
}
