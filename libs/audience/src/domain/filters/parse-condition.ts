import { existingMoment, isUuid } from '#kernel';
import {
  activities,
  broadcastResults,
  Condition,
  Filter,
  filterLimits,
  NegatedFilter,
  orderOperators,
  OrderOperator,
  textOperators,
  TextSubject,
  timeFields,
  TimeField,
} from './filter.js';
import { GivenRule, InvalidFilterError, oneOf } from './given-rule.js';

export const textFields = ['email', 'first_name', 'last_name'] as const;

/** The condition of a rule. Undefined if no contact has its field. Throws if operator or value do not suit the field. */
export function conditionOf(rule: GivenRule): Filter | undefined {
  const [owner, name = '', rest] = parts(rule.field);
  if (owner !== 'contact') return undefined;
  if (rest !== undefined) return referenceOf(rule, name, rest);
  const text = textFields.find((known) => known === name);
  if (text !== undefined) return textRule(rule, text);
  const time = timeFields.find((known) => known === name);
  if (time !== undefined) return timeRule(rule, time);
  const activity = activities.find((known) => known === name);
  if (activity !== undefined) {
    return periodOrEver(rule, (days): Condition => ({ kind: 'activity', activity, days }));
  }
  if (name === 'unsubscribed') return unsubscribedRule(rule);
  // As automations have it, too. A property with the name of a field of its own has the long form alone.
  return /^\w{1,50}$/.test(name) && parts(rule.field).length === 2 ? propertyRule(rule, name) : undefined;
}

/** `contact.properties.plan` has three parts. A key has no dots, nor has an id. */
function parts(field: string): readonly string[] {
  return field.length > 100 ? [] : field.split('.', 4);
}

function referenceOf(rule: GivenRule, name: string, key: string): Filter | undefined {
  if (parts(rule.field).length !== 3) return undefined;
  switch (name) {
    case 'properties':
      return /^\w{1,50}$/.test(key) ? propertyRule(rule, key) : undefined;
    case 'topics':
      return isUuid(key) ? topicRule(rule, key.toLowerCase()) : undefined;
    case 'segments':
      return isUuid(key) ? segmentRule(rule, key.toLowerCase()) : undefined;
    case 'broadcasts':
      return isUuid(key) ? broadcastRule(rule, key.toLowerCase()) : undefined;
    default:
      return undefined;
  }
}

function textRule(rule: GivenRule, subject: TextSubject): Filter {
  const operator = oneOf(rule, [...textOperators, 'neq', 'exists', 'is_empty']);
  if (operator === 'exists') return { kind: 'present', subject };
  if (operator === 'is_empty') return not({ kind: 'present', subject });
  const value = textOf(rule);
  return operator === 'neq'
    ? not({ kind: 'text', subject, operator: 'eq', value })
    : { kind: 'text', subject, operator, value };
}

/** The type of the value tells the type of the property. */
function propertyRule(rule: GivenRule, property: string): Filter {
  if (typeof rule.value !== 'number') return textRule(rule, { property });
  const operator = oneOf(rule, ['eq', 'neq', ...orderOperators, 'exists', 'is_empty']);
  if (operator === 'exists') return { kind: 'present', subject: { property } };
  if (operator === 'is_empty') return not({ kind: 'present', subject: { property } });
  if (!Number.isFinite(rule.value)) throw new InvalidFilterError(`${rule.place}.value`, 'it must be a number.');
  const condition = { kind: 'number', property, value: rule.value } as const;
  return operator === 'neq' ? not({ ...condition, operator: 'eq' }) : { ...condition, operator };
}

function unsubscribedRule(rule: GivenRule): Filter {
  const operator = oneOf(rule, ['eq', 'neq']);
  if (typeof rule.value !== 'boolean') {
    throw new InvalidFilterError(`${rule.place}.value`, 'it must be `true` or `false`.');
  }
  const isAsked = rule.value === (operator === 'eq');
  return isAsked ? { kind: 'unsubscribed' } : not({ kind: 'unsubscribed' });
}

function topicRule(rule: GivenRule, topicId: string): Filter {
  const operator = oneOf(rule, ['eq', 'neq']);
  if (rule.value !== 'opt_in' && rule.value !== 'opt_out') {
    throw new InvalidFilterError(`${rule.place}.value`, 'it must be `opt_in` or `opt_out`.');
  }
  const isAsked = (rule.value === 'opt_in') === (operator === 'eq');
  return isAsked ? { kind: 'topic', topicId } : not({ kind: 'topic', topicId });
}

function segmentRule(rule: GivenRule, segmentId: string): Filter {
  const operator = oneOf(rule, ['exists', 'is_empty']);
  return operator === 'exists' ? { kind: 'segment', segmentId } : not({ kind: 'segment', segmentId });
}

function broadcastRule(rule: GivenRule, broadcastId: string): Filter {
  const operator = oneOf(rule, ['eq', 'neq']);
  const result = broadcastResults.find((known) => known === rule.value);
  if (result === undefined) {
    const names = broadcastResults.map((known) => `\`${known}\``).join(', ');
    throw new InvalidFilterError(`${rule.place}.value`, `it must be one of ${names}.`);
  }
  const condition = { kind: 'broadcast', broadcastId, result } as const;
  return operator === 'eq' ? condition : not(condition);
}

function timeRule(rule: GivenRule, field: TimeField): Filter {
  const operator = oneOf(rule, [...orderOperators, 'within_days', 'not_within_days']);
  const order = orderOperators.find((known): known is OrderOperator => known === operator);
  if (order !== undefined) return { kind: 'time', field, operator: order, value: timeOf(rule) };
  const recent: Condition = { kind: 'recent', field, days: daysOf(rule) };
  return operator === 'within_days' ? recent : not(recent);
}

function periodOrEver(rule: GivenRule, condition: (days: number | null) => Condition): Filter {
  switch (oneOf(rule, ['within_days', 'not_within_days', 'exists', 'is_empty'])) {
    case 'within_days':
      return condition(daysOf(rule));
    case 'not_within_days':
      return not(condition(daysOf(rule)));
    case 'exists':
      return condition(null);
    case 'is_empty':
      return not(condition(null));
  }
}

function textOf({ place, value }: GivenRule): string {
  const isUsable = typeof value === 'string' && value !== '' && value.length <= filterLimits.maxValueLength;
  if (isUsable && value.isWellFormed() && !value.includes('\0')) return value;
  throw new InvalidFilterError(
    `${place}.value`,
    `it must be a text of 1 to ${filterLimits.maxValueLength} characters.`,
  );
}

function daysOf({ place, value }: GivenRule): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= filterLimits.maxDays) return value;
  throw new InvalidFilterError(`${place}.value`, `it must be a number of days from 1 to ${filterLimits.maxDays}.`);
}

const isoTime = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d))?$/;

/** A day is its midnight in UTC. */
function timeOf({ place, value }: GivenRule): Date {
  const time = typeof value === 'string' && isoTime.test(value) ? existingMoment(value) : undefined;
  if (time !== undefined && time.getUTCFullYear() >= 1) return time;
  throw new InvalidFilterError(`${place}.value`, 'it must be a day or a time in ISO 8601 with a zone.');
}

function not(filter: Condition): NegatedFilter {
  return { kind: 'not', filter };
}
