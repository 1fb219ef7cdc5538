export const conditionTests = ['exists', 'equals', 'contains', 'starts_with', 'ends_with'] as const;
export type ConditionTest = (typeof conditionTests)[number];

/** What a header field of a message must be. Texts are compared without regard to case. */
export interface HeaderCondition {
  /** Lower-case name of the field. */
  readonly header: string;
  readonly test: ConditionTest;
  /** Empty for `exists`. */
  readonly value: string;
  /** The condition holds where the test does not. */
  readonly not: boolean;
}

/** A header field of a message: its lower-case name, and its value as people read it. */
export interface HeaderValue {
  readonly name: string;
  readonly value: string;
}

/** A test holds where it holds for one of the fields with the name. */
export function holds(condition: HeaderCondition, header: readonly HeaderValue[]): boolean {
  const isMet = header.some(({ name, value }) => name === condition.header && passes(condition, value.toLowerCase()));
  return isMet !== condition.not;
}

function passes({ test, value }: HeaderCondition, given: string): boolean {
  const wanted = value.toLowerCase();
  switch (test) {
    case 'exists':
      return true;
    case 'equals':
      return given === wanted;
    case 'contains':
      return given.includes(wanted);
    case 'starts_with':
      return given.startsWith(wanted);
    case 'ends_with':
      return given.endsWith(wanted);
  }
}
