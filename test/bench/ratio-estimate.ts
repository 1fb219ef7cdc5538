export interface RatioEstimate {
  readonly ratio: number;
  /** Half of the 95 % confidence interval of `ratio`. */
  readonly halfWidth: number;
}

/** Student's t for a two-sided 95 % interval, by degrees of freedom; from 30 on close to 2. */
const quantileOf = (freedom: number): number => 1.96 + 2.5 / freedom + 2.8 / freedom ** 2;

/**
 * The geometric mean of the pairs' ratios, which treats "twice" and "half" alike, with its confidence interval. Needs
 * two pairs or more.
 */
export function estimateRatio(of: readonly number[], to: readonly number[]): RatioEstimate {
  const logs = of.map((value, index) => Math.log(value / (to[index] as number)));
  const mean = logs.reduce((a, b) => a + b, 0) / logs.length;
  const variance = logs.reduce((sum, log) => sum + (log - mean) ** 2, 0) / (logs.length - 1);
  const ratio = Math.exp(mean);
  return { ratio, halfWidth: ratio * quantileOf(logs.length - 1) * Math.sqrt(variance / logs.length) };
}
