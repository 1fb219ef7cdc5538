import { ValidationError } from './domain-error.js';
import { contains, foldedCase } from './text-search.js';

/** A condition in the shape of the API: of automations on events and contacts, and of emails on merge values. */
export type Rule = LeafRule | { readonly type: 'and' | 'or'; readonly rules: readonly Rule[] };

export interface LeafRule {
  readonly type: 'rule';
  readonly field: string;
  readonly operator: RuleOperator;
  readonly value?: RuleValue;
}

type RuleValue = string | number | boolean | null;

export const ruleOperators = [
  'eq',
  'neq',
  'gt',
  'gte',
  'lt',
  'lte',
  'contains',
  'starts_with',
  'ends_with',
  'exists',
  'is_empty',
] as const;
type RuleOperator = (typeof ruleOperators)[number];

/** Finds the value of a field. Undefined: there is none. The leaf says what the value is compared with. */
export type RuleReader = (field: string, leaf: LeafRule) => unknown;

export const maxRuleDepth = 5;
export const maxLeafRules = 50;
const maxFieldLength = 255;
const maxValueLength = 1_000;
/** Characters that are compared with a value. A longer text than this is no value in any case. */
const maxComparedLength = 4 * maxValueLength;
/** Characters in which a value is searched. */
const maxSearchedLength = 10_000;

/** Checks a rule tree. Throws ValidationError. `thing` names it in the messages. */
export function parseRule(thing: string, given: unknown, namespaces: readonly string[]): Rule {
  let leaves = 0;
  const parse = (value: unknown, depth: number): Rule => {
    if (depth > maxRuleDepth) throw new ValidationError(`${thing} may be at most ${maxRuleDepth} levels deep.`);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw new ValidationError(`${thing} must be an object with a \`type\`.`);
    }
    const { type, rules, ...rest } = value as Readonly<Record<string, unknown>>;
    if (type === 'and' || type === 'or') {
      if (!Array.isArray(rules) || rules.length === 0)
        throw new ValidationError(`${thing}: \`${type}\` needs \`rules\`.`);
      if (rules.length > maxLeafRules) throw tooMany(thing);
      return { type, rules: rules.map((rule) => parse(rule, depth + 1)) };
    }
    if (type !== 'rule') throw new ValidationError(`${thing}: the \`type\` must be \`rule\`, \`and\` or \`or\`.`);
    if (++leaves > maxLeafRules) throw tooMany(thing);
    return parseLeaf(thing, rest, namespaces);
  };
  return parse(given, 1);
}

function tooMany(thing: string): ValidationError {
  return new ValidationError(`${thing} may have at most ${maxLeafRules} rules.`);
}

function parseLeaf(
  thing: string,
  { field, operator, value }: Readonly<Record<string, unknown>>,
  namespaces: readonly string[],
): Rule {
  if (
    typeof field !== 'string' ||
    field.length > maxFieldLength ||
    !namespaces.some((name) => field.startsWith(name))
  ) {
    const names = namespaces.map((name) => `\`${name}\``).join(' or ');
    throw new ValidationError(`${thing}: the \`field\` must begin with ${names}.`);
  }
  if (!ruleOperators.some((known) => known === operator)) {
    throw new ValidationError(`${thing}: the \`operator\` must be one of ${ruleOperators.join(', ')}.`);
  }
  const known = operator as RuleOperator;
  if (known === 'exists' || known === 'is_empty') return { type: 'rule', field, operator: known };
  if (!isValueFor(known, value)) throw new ValidationError(`${thing}: \`${known}\` needs ${valueFor(known)}.`);
  return { type: 'rule', field, operator: known, value };
}

function isValueFor(operator: RuleOperator, value: unknown): value is RuleValue {
  if (typeof value === 'string' && value.length > maxValueLength) return false;
  switch (valueFor(operator)) {
    case 'a number':
      return typeof value === 'number';
    case 'a string':
      return typeof value === 'string';
    default:
      return value === null || ['string', 'number', 'boolean'].includes(typeof value);
  }
}

function valueFor(operator: RuleOperator): string {
  switch (operator) {
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      return 'a number';
    case 'contains':
    case 'starts_with':
    case 'ends_with':
      return 'a string';
    default:
      return 'a string, a number, a boolean or null';
  }
}

/** Whether a rule holds. A field that is absent fulfils `neq` and `is_empty` alone. Texts are compared without case. */
export function holds(rule: Rule, read: RuleReader): boolean {
  switch (rule.type) {
    case 'and':
      return rule.rules.every((each) => holds(each, read));
    case 'or':
      return rule.rules.some((each) => holds(each, read));
    case 'rule':
      return leafHolds(rule, read(rule.field, rule));
  }
}

function leafHolds({ operator, value }: LeafRule, actual: unknown): boolean {
  switch (operator) {
    case 'exists':
      return actual !== undefined && actual !== null;
    case 'is_empty':
      return isEmpty(actual);
    case 'neq':
      return !isEqual(actual, value);
    case 'eq':
      return isEqual(actual, value);
    case 'gt':
      return typeof actual === 'number' && actual > (value as number);
    case 'gte':
      return typeof actual === 'number' && actual >= (value as number);
    case 'lt':
      return typeof actual === 'number' && actual < (value as number);
    case 'lte':
      return typeof actual === 'number' && actual <= (value as number);
    case 'contains':
      return typeof actual === 'string' && contains(folded(actual.slice(0, maxSearchedLength)), folded(value));
    case 'starts_with':
      return typeof actual === 'string' && folded(actual.slice(0, maxComparedLength)).startsWith(folded(value));
    case 'ends_with':
      return typeof actual === 'string' && folded(actual.slice(-maxComparedLength)).endsWith(folded(value));
  }
}

function isEmpty(actual: unknown): boolean {
  return actual === undefined || actual === null || actual === '' || (Array.isArray(actual) && actual.length === 0);
}

function isEqual(actual: unknown, value: unknown): boolean {
  if (typeof actual !== 'string' || typeof value !== 'string') return actual === value;
  return actual.length <= maxComparedLength && folded(actual) === folded(value);
}

function folded(value: unknown): string {
  return foldedCase(String(value));
}

const maxExplainedLength = 500;
const maxShownLength = 80;

/** Why a rule holds or does not, in words: `event.plan is "free", not "pro"`. */
export function explained(rule: Rule, read: RuleReader): string {
  const text = reasons(rule, read).join(' and ');
  return text.length <= maxExplainedLength ? text : `${text.slice(0, maxExplainedLength).toWellFormed()}…`;
}

/** Of `and`, what keeps it from holding, else all; of `or` the other way round. */
function reasons(rule: Rule, read: RuleReader): readonly string[] {
  if (rule.type === 'rule') return [reasonOf(rule, read(rule.field, rule))];
  const decisive = rule.rules.find((each) => holds(each, read) === (rule.type === 'or'));
  return decisive === undefined ? rule.rules.flatMap((each) => reasons(each, read)) : reasons(decisive, read);
}

function reasonOf({ field, operator, value }: LeafRule, actual: unknown): string {
  const does = leafHolds({ type: 'rule', field, operator, value }, actual);
  if (actual === undefined || actual === null) return `${field} is absent`;
  const is = `${field} is ${shown(actual)}`;
  switch (operator) {
    case 'eq':
      return does ? is : `${is}, not ${shown(value)}`;
    case 'neq':
      return does ? `${is}, not ${shown(value)}` : is;
    case 'exists':
    case 'is_empty':
      return isEmpty(actual) ? `${field} is empty` : is;
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      return `${is}, which is ${does ? '' : 'not '}${comparisons[operator]} ${shown(value)}`;
    case 'contains':
    case 'starts_with':
    case 'ends_with': {
      const verb = comparisons[operator];
      return `${is}, which ${does ? `${verb[0]}` : `does not ${verb[1]}`} ${shown(value)}`;
    }
  }
}

const comparisons = {
  gt: 'more than',
  gte: 'at least',
  lt: 'less than',
  lte: 'at most',
  contains: ['contains', 'contain'],
  starts_with: ['starts with', 'start with'],
  ends_with: ['ends with', 'end with'],
} as const;

function shown(value: unknown): string {
  const json = JSON.stringify(value);
  return json.length <= maxShownLength ? json : `${json.slice(0, maxShownLength).toWellFormed()}…`;
}
