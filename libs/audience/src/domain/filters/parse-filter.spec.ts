import { describe, expect, it } from '@jest/globals';
import { Filter } from './filter.js';
import { parseFilter } from './parse-filter.js';

const topic = '0193a1f6-0b7e-7d25-9c48-e1a5f7306b2d';

const rule = (field: string, operator: string, value?: unknown): Record<string, unknown> => ({
  type: 'rule',
  field,
  operator,
  ...(value === undefined ? {} : { value }),
});

function refusal(json: unknown): string {
  try {
    parseFilter(json);
  } catch (error) {
    return (error as Error).message;
  }
  return 'accepted';
}

describe('parseFilter', () => {
  const accepted: readonly [Record<string, unknown>, Filter][] = [
    [
      rule('contact.email', 'ends_with', '@Acme.test'),
      { kind: 'text', subject: 'email', operator: 'ends_with', value: '@Acme.test' },
    ],
    [rule('contact.first_name', 'is_empty'), { kind: 'not', filter: { kind: 'present', subject: 'first_name' } }],
    [
      rule('contact.properties.plan', 'neq', 'pro'),
      { kind: 'not', filter: { kind: 'text', subject: { property: 'plan' }, operator: 'eq', value: 'pro' } },
    ],
    [rule('contact.properties.score', 'gte', 5.5), { kind: 'number', property: 'score', operator: 'gte', value: 5.5 }],
    [rule('contact.unsubscribed', 'eq', false), { kind: 'not', filter: { kind: 'unsubscribed' } }],
    [rule('contact.unsubscribed', 'neq', false), { kind: 'unsubscribed' }],
    [
      rule('contact.created_at', 'lt', '2026-11-30'),
      { kind: 'time', field: 'created_at', operator: 'lt', value: new Date('2026-11-30T00:00:00Z') },
    ],
    [rule('contact.updated_at', 'within_days', 7), { kind: 'recent', field: 'updated_at', days: 7 }],
    [rule(`contact.topics.${topic.toUpperCase()}`, 'eq', 'opt_in'), { kind: 'topic', topicId: topic }],
    [rule(`contact.segments.${topic}`, 'is_empty'), { kind: 'not', filter: { kind: 'segment', segmentId: topic } }],
    [rule('contact.opened', 'within_days', 30), { kind: 'activity', activity: 'opened', days: 30 }],
    [
      rule('contact.clicked', 'not_within_days', 30),
      { kind: 'not', filter: { kind: 'activity', activity: 'clicked', days: 30 } },
    ],
    [rule('contact.sent', 'exists'), { kind: 'activity', activity: 'sent', days: null }],
  ];
  it.each(accepted)('reads %j', (json, filter) => {
    expect(parseFilter(json)).toEqual(filter);
  });

  it('reads groups and negations', () => {
    const json = {
      type: 'and',
      rules: [
        { type: 'not', rule: rule('contact.sent', 'exists') },
        { type: 'or', rules: [rule('contact.email', 'exists')] },
      ],
    };
    expect(parseFilter(json)).toEqual({
      kind: 'and',
      filters: [
        { kind: 'not', filter: { kind: 'activity', activity: 'sent', days: null } },
        { kind: 'or', filters: [{ kind: 'present', subject: 'email' }] },
      ],
    });
  });

  const refused: readonly [unknown, string][] = [
    ['x', 'Invalid `filter`: it must be an object.'],
    [{}, 'Invalid `filter.type`: it must be `and`, `or`, `not` or `rule`.'],
    [{ type: 'and', rules: [] }, 'Invalid `filter.rules`: it must be a list with at least one rule.'],
    [{ type: 'and', rules: [{ type: 'not' }] }, 'Invalid `filter.rules[0].rule`: it must be an object.'],
    [rule('contact.a-b', 'eq', 5), 'Invalid `filter.field`: there is no field `contact.a-b`.'],
    [rule('contact.properties.a.b', 'eq', 'x'), 'Invalid `filter.field`: there is no field `contact.properties.a.b`.'],
    [
      rule("contact.properties.a'--", 'eq', 'x'),
      "Invalid `filter.field`: there is no field `contact.properties.a'--`.",
    ],
    [
      rule('contact.topics.newsletter', 'eq', 'opt_in'),
      'Invalid `filter.field`: there is no field `contact.topics.newsletter`.',
    ],
    [
      rule('contact.unsubscribed', 'contains', 'x'),
      'Invalid `filter.operator`: `contact.unsubscribed` can be compared by `eq`, `neq`.',
    ],
    [
      rule('contact.broadcasts.0193a1f6-0b7e-7d25-9c48-e1a5f7306b2d', 'eq', 'read'),
      'Invalid `filter.value`: it must be one of `sent`, `delivered`, `opened`, `clicked`, `bounced`, `complained`, `unsubscribed`.',
    ],
    [
      rule('contact.broadcasts.last', 'eq', 'sent'),
      'Invalid `filter.field`: there is no field `contact.broadcasts.last`.',
    ],
    [rule('contact.email', 'eq', ''), 'Invalid `filter.value`: it must be a text of 1 to 500 characters.'],
    [rule('contact.email', 'eq', 'a\0'), 'Invalid `filter.value`: it must be a text of 1 to 500 characters.'],
    [rule('contact.sent', 'within_days', 1.5), 'Invalid `filter.value`: it must be a number of days from 1 to 3650.'],
    [
      rule('contact.created_at', 'lt', 'monday'),
      'Invalid `filter.value`: it must be a day or a time in ISO 8601 with a zone.',
    ],
    [
      { type: 'or', rules: Array.from({ length: 101 }, () => rule('contact.sent', 'exists')) },
      'Invalid `filter.rules`: a filter may have at most 100 rules.',
    ],
  ];
  it.each(refused)('refuses %j', (json, message) => {
    expect(refusal(json)).toBe(message);
  });

  it('refuses rules that are nested too deeply, and too many rules in several groups', () => {
    let deep: unknown = rule('contact.sent', 'exists');
    for (let depth = 0; depth < 100_000; depth++) deep = { type: 'not', rule: deep };
    expect(refusal(deep)).toContain('rules may be nested 8 deep.');
    const group = { type: 'and', rules: Array.from({ length: 60 }, () => rule('contact.sent', 'exists')) };
    expect(refusal({ type: 'or', rules: [group, group] })).toBe(
      'Invalid `filter`: a filter may have at most 100 rules.',
    );
  });
});
