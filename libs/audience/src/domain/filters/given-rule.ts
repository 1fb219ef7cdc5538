import { ValidationError } from '#kernel';

/** A filter that cannot be read, with the place of the first mistake, such as `filter.rules[1].operator`. */
export class InvalidFilterError extends ValidationError {
  constructor(place: string, sentence: string) {
    super(`Invalid \`${place}\`: ${sentence}`);
  }
}

/** A rule as it stands in the JSON of a filter. */
export interface GivenRule {
  /** Where it stands, for messages. */
  readonly place: string;
  readonly field: string;
  readonly operator: string;
  readonly value: unknown;
}

/** Throws if the operator is not one of these. */
export function oneOf<Operator extends string>(rule: GivenRule, operators: readonly Operator[]): Operator {
  const operator = operators.find((known) => known === rule.operator);
  if (operator === undefined) {
    throw new InvalidFilterError(
      `${rule.place}.operator`,
      `\`${shown(rule.field)}\` can be compared by ${operators.map((known) => `\`${known}\``).join(', ')}.`,
    );
  }
  return operator;
}

/** A text from outside in a message: short, and without backticks, which end it. */
export function shown(text: string): string {
  return text.slice(0, 100).replaceAll('`', "'").toWellFormed();
}
