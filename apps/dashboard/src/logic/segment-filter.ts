/** The filter of a segment as it is edited: groups of rules, in groups. Its JSON is described in `docs/segments.md`. */
export interface FilterGroup {
  readonly match: 'all' | 'any' | 'none';
  readonly items: readonly FilterItem[];
}

export interface FilterRule {
  readonly field: string;
  readonly operator: string;
  readonly value: string;
}

export type FilterItem = FilterGroup | FilterRule;

/** How a field is compared, and what its value is. */
export type FieldKind = 'text' | 'number' | 'flag' | 'time' | 'topic' | 'segment' | 'activity' | 'any';

export const maxFilterDepth = 3;

const order = ['gt', 'gte', 'lt', 'lte'];
const operators: Readonly<Record<FieldKind, readonly string[]>> = {
  text: ['eq', 'neq', 'contains', 'starts_with', 'ends_with', 'exists', 'is_empty'],
  number: ['eq', 'neq', ...order, 'exists', 'is_empty'],
  flag: ['eq', 'neq'],
  time: ['within_days', 'not_within_days', ...order],
  topic: ['eq'],
  segment: ['exists', 'is_empty'],
  activity: ['within_days', 'not_within_days', 'exists', 'is_empty'],
  // Of a payload: its values may be of any type.
  any: ['eq', 'neq', ...order, 'contains', 'starts_with', 'ends_with', 'exists', 'is_empty'],
};

export function operatorsOf(kind: FieldKind): readonly string[] {
  return operators[kind];
}

export type ValueKind = 'none' | 'text' | 'number' | 'days' | 'date' | 'flag' | 'subscription' | 'scalar';

export function valueOf(kind: FieldKind, operator: string): ValueKind {
  if (operator === 'exists' || operator === 'is_empty') return 'none';
  if (operator === 'within_days' || operator === 'not_within_days') return 'days';
  if (kind === 'time') return 'date';
  if (kind === 'flag') return 'flag';
  if (kind === 'topic') return 'subscription';
  if (kind === 'any' && (operator === 'eq' || operator === 'neq')) return 'scalar';
  if (order.includes(operator)) return 'number';
  return kind === 'number' ? 'number' : 'text';
}

const firstValue: Readonly<Record<ValueKind, string>> = {
  none: '',
  text: '',
  number: '',
  days: '30',
  date: '',
  flag: 'true',
  subscription: 'opt_in',
  scalar: '',
};

/** A rule on a field, with the operator that is wanted if the field has it. */
export function ruleFor(field: string, kind: FieldKind, operator?: string): FilterRule {
  const known = operatorsOf(kind);
  const chosen = operator !== undefined && known.includes(operator) ? operator : (known[0] ?? 'eq');
  return { field, operator: chosen, value: firstValue[valueOf(kind, chosen)] };
}

export function isGroup(item: FilterItem): item is FilterGroup {
  return 'items' in item;
}

/** The JSON for the API; undefined while something is missing. */
export function filterJson(item: FilterItem, kindOf: (field: string) => FieldKind): object | undefined {
  if (!isGroup(item)) return ruleJson(item, kindOf(item.field));
  const rules = item.items.map((child) => filterJson(child, kindOf));
  if (rules.length === 0 || rules.includes(undefined)) return undefined;
  const group = { type: item.match === 'all' ? 'and' : 'or', rules };
  return item.match === 'none' ? { type: 'not', rule: group } : group;
}

function ruleJson({ field, operator, value }: FilterRule, kind: FieldKind): object | undefined {
  const rule = { type: 'rule', field, operator };
  switch (valueOf(kind, operator)) {
    case 'none':
      return rule;
    case 'flag':
      return { ...rule, value: value === 'true' };
    case 'number':
    case 'days':
      return value.trim() === '' || Number.isNaN(Number(value)) ? undefined : { ...rule, value: Number(value) };
    case 'scalar':
      return value.trim() === '' ? undefined : { ...rule, value: scalarOf(value.trim()) };
    default:
      return value.trim() === '' ? undefined : { ...rule, value: value.trim() };
  }
}

/** `5` is a number and `true` a boolean, as in JSON; `"5"` and everything else are texts. */
function scalarOf(value: string): string | number | boolean {
  if (value === 'true' || value === 'false') return value === 'true';
  if (/^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(value)) return Number(value);
  return /^"(.*)"$/.exec(value)?.[1] ?? value;
}

interface Node {
  readonly type?: unknown;
  readonly rules?: readonly Node[];
  readonly rule?: Node;
  readonly field?: unknown;
  readonly operator?: unknown;
  readonly value?: unknown;
}

/** The filter of a segment that exists. */
export function filterOf(json: unknown): FilterGroup {
  const item = itemOf(json as Node);
  return isGroup(item) ? item : { match: 'all', items: [item] };
}

function itemOf(node: Node): FilterItem {
  switch (node.type) {
    case 'and':
    case 'or':
      return { match: node.type === 'and' ? 'all' : 'any', items: (node.rules ?? []).map(itemOf) };
    case 'not': {
      const inner = itemOf(node.rule ?? {});
      return { match: 'none', items: isGroup(inner) && inner.match === 'any' ? inner.items : [inner] };
    }
    default: {
      const { field, operator, value } = node;
      return { field: text(field), operator: text(operator), value: text(value) };
    }
  }
}

function text(value: unknown): string {
  return value === undefined || value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value);
}

/** The group with another item in the place of one; undefined removes it. */
export function withItem(group: FilterGroup, index: number, item: FilterItem | undefined): FilterGroup {
  const items = group.items.flatMap((known, at) => (at === index ? (item === undefined ? [] : [item]) : [known]));
  return { ...group, items };
}
