export const conditionTests = ['exists', 'equals', 'contains', 'starts_with', 'ends_with'] as const;
export type ConditionTest = (typeof conditionTests)[number];

/** What a header field of a message must be. Texts are compared without regard to case. */
export interface HeaderCondition {
  /** Lower-case name of the field. */
  readonly header: string;
  readonly test: ConditionTest;
  /** Empty for `exists`. */
  readonly value: string;
  /** The condition holds if the test does not. */
  readonly not: boolean;
}

/** A header field of a message: its lower-case name, and its value as people read it. */
export interface HeaderValue {
  readonly name: string;
  readonly value: string;
}

/** Maximum number of character comparisons, at worst, that a search for some conditions takes. Read before the search. */
export function comparisonsOf(conditions: readonly HeaderCondition[], header: readonly HeaderValue[]): number {
  const lengths = new Map<string, number>();
  for (const { name, value } of header) lengths.set(name, (lengths.get(name) ?? 0) + value.length);
  let comparisons = 0;
  for (const { header: name, value } of conditions) comparisons += (lengths.get(name) ?? 0) * (value.length + 1);
  return comparisons;
}

/** Those of the conditions that hold. A test that several conditions have is made once. */
export function holdingAmong(
  conditions: readonly HeaderCondition[],
  header: readonly HeaderValue[],
): ReadonlySet<HeaderCondition> {
  const values = new Map<string, string[]>();
  for (const { name, value } of header) {
    const known = values.get(name);
    if (known === undefined) values.set(name, [value.toLowerCase()]);
    else known.push(value.toLowerCase());
  }
  const passed = new Map<string, boolean>();
  const holds = (condition: HeaderCondition): boolean => {
    const key = testOf(condition);
    const isMet = passed.get(key) ?? isMetBy(condition, values.get(condition.header) ?? []);
    passed.set(key, isMet);
    return isMet !== condition.not;
  };
  return new Set(conditions.filter(holds));
}

/** The same for all conditions that ask the same, whatever they conclude from it. */
function testOf({ header, test, value }: HeaderCondition): string {
  return `${header} ${test} ${value.toLowerCase()}`;
}

/** One of the fields with the name suffices to meet a test. */
function isMetBy({ test, value }: HeaderCondition, lowerValues: readonly string[]): boolean {
  const wanted = value.toLowerCase();
  switch (test) {
    case 'exists':
      return lowerValues.length > 0;
    case 'equals':
      return lowerValues.includes(wanted);
    case 'contains':
      return lowerValues.some((given) => given.includes(wanted));
    case 'starts_with':
      return lowerValues.some((given) => given.startsWith(wanted));
    case 'ends_with':
      return lowerValues.some((given) => given.endsWith(wanted));
  }
}
