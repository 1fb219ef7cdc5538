const dayMs = 86_400_000;

/** The wall clock of a zone at a moment, written as if it were UTC. */
function wallClock(moment: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
    hourCycle: 'h23',
  }).formatToParts(moment);
  const of = (type: string): number => Number(parts.find((part) => part.type === type)?.value ?? 0);
  return Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'));
}

/** The moment at which a clock of the zone shows this. Where it skips the time, the moment of the skip is near enough. */
export function momentOfWallClock(text: string, timeZone: string): Date {
  const wanted = Date.parse(`${text.length === 10 ? `${text}T00:00` : text}Z`);
  // Twice, because the offset at the first guess may be that of the other side of a change of the clocks.
  const first = wanted - (wallClock(wanted, timeZone) - wanted);
  return new Date(wanted - (wallClock(first, timeZone) - first));
}

/** The day of a moment in a zone: `2026-11-30`. */
export function dayIn(moment: Date, timeZone: string): string {
  return new Date(wallClock(moment.getTime(), timeZone)).toISOString().slice(0, 10);
}

/** What a `datetime-local` field shows for a moment in a zone: `2026-11-30T14:00`. */
export function wallClockText(moment: Date, timeZone: string): string {
  return new Date(wallClock(moment.getTime(), timeZone)).toISOString().slice(0, 16);
}

/** A date some days later. */
export function dayAfter(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00Z`) + days * dayMs).toISOString().slice(0, 10);
}
