import { Filter, filterLimits } from './filter.js';
import { GivenRule, InvalidFilterError, shown } from './given-rule.js';
import { conditionOf } from './parse-condition.js';

/**
 * Reads the JSON of a filter (docs/audience.md): `{type: "and" | "or", rules: […]}`, `{type: "not", rule: {…}}` or
 * `{type: "rule", field, operator, value}`. Unknown keys are ignored. Throws InvalidFilterError at the first mistake.
 * Whether the properties, topics and segments exist is not checked here.
 */
export function parseFilter(json: unknown): Filter {
  return new FilterReader().read(json, 'filter', 1);
}

class FilterReader {
  private conditions = 0;

  read(json: unknown, place: string, depth: number): Filter {
    if (depth > filterLimits.maxDepth) {
      throw new InvalidFilterError(place, `rules may be nested ${filterLimits.maxDepth} deep.`);
    }
    const fields = objectOf(json, place);
    switch (fields.type) {
      case 'and':
      case 'or':
        return { kind: fields.type, filters: this.readAll(fields.rules, `${place}.rules`, depth) };
      case 'not':
        return { kind: 'not', filter: this.read(fields.rule, `${place}.rule`, depth + 1) };
      case 'rule':
        return this.condition(fields, place);
      default:
        throw new InvalidFilterError(`${place}.type`, 'it must be `and`, `or`, `not` or `rule`.');
    }
  }

  private readAll(rules: unknown, place: string, depth: number): Filter[] {
    if (!Array.isArray(rules) || rules.length === 0) {
      throw new InvalidFilterError(place, 'it must be a list with at least one rule.');
    }
    // Before anything is read of a list that is too long.
    if (rules.length > filterLimits.maxConditions) throw tooMany(place);
    return rules.map((rule: unknown, index) => this.read(rule, `${place}[${index}]`, depth + 1));
  }

  private condition(fields: Readonly<Record<string, unknown>>, place: string): Filter {
    this.conditions += 1;
    if (this.conditions > filterLimits.maxConditions) throw tooMany('filter');
    const { field, operator, value } = fields;
    if (typeof field !== 'string') throw new InvalidFilterError(`${place}.field`, 'it must be a string.');
    if (typeof operator !== 'string') throw new InvalidFilterError(`${place}.operator`, 'it must be a string.');
    const rule: GivenRule = { place, field, operator, value };
    return conditionOf(rule) ?? unknownField(rule);
  }
}

function objectOf(json: unknown, place: string): Readonly<Record<string, unknown>> {
  if (typeof json === 'object' && json !== null && !Array.isArray(json)) return json as Record<string, unknown>;
  throw new InvalidFilterError(place, 'it must be an object.');
}

function tooMany(place: string): InvalidFilterError {
  return new InvalidFilterError(place, `a filter may have at most ${filterLimits.maxConditions} rules.`);
}

function unknownField({ place, field }: GivenRule): never {
  throw new InvalidFilterError(`${place}.field`, `there is no field \`${shown(field)}\`.`);
}
