const steps = [1, 2, 5, 10];

/** Ticks from 0 to the first one that is at least `highest`, in steps of 1, 2 or 5 times a power of ten. */
export function niceTicks(highest: number, { most = 5, whole = false } = {}): number[] {
  if (!(highest > 0) || !Number.isFinite(highest)) return [0, 1];
  const rough = highest / most;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = (steps.find((factor) => factor * power >= rough * (1 - 1e-9)) ?? 10) * power;
  const used = whole ? Math.max(1, step) : step;
  const count = Math.max(1, Math.ceil(highest / used - 1e-9));
  // A product of a step such as 0.1 has digits that nobody wants to read.
  return Array.from({ length: count + 1 }, (_, index) => Number((index * used).toPrecision(12)));
}

/** A share in percent as short as it can be told: "20%", "0.3%"; in German with a space. */
export function shortPercent(value: number, language: string, digits = 2): string {
  return new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: digits }).format(value / 100);
}
