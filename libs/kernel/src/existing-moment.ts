/**
 * The moment that a text in ISO 8601 names. Undefined if it names none, or if its day does not exist: JavaScript reads
 * 30 February as a day of March.
 */
export function existingMoment(text: string): Date | undefined {
  const day = text.slice(0, 10);
  const [moment, midnight] = [new Date(text), new Date(`${day}T00:00:00Z`)];
  if (Number.isNaN(moment.getTime()) || Number.isNaN(midnight.getTime())) return undefined;
  return midnight.toISOString().startsWith(day) ? moment : undefined;
}
