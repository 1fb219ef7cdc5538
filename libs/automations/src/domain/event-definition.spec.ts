import { describe, expect, it } from '@jest/globals';
import { checkedPayload, parseEventName, parseEventSchema } from './event-definition.js';

describe('the name of an event', () => {
  it.each(['user.created', 'a/b', 'mit Leerzeichen', 'ж'.repeat(255)])('may be %s', (name) => {
    expect(parseEventName('name', name)).toBe(name);
  });

  it.each([
    [undefined, 'Missing `name` field.'],
    ['send', 'must not be `send`'],
    ['resend:contact.created', 'must not begin with `resend:`'],
    ['a\nb', 'control characters'],
    ['\ud800', 'control characters'],
    ['x'.repeat(256), 'at most 255 characters'],
  ])('may not be %j', (name, message) => {
    expect(() => parseEventName('name', name)).toThrow(message);
  });
});

describe('a schema', () => {
  it('names types', () => {
    expect(parseEventSchema({ plan: 'string', since: 'date' })).toEqual({ plan: 'string', since: 'date' });
    expect(parseEventSchema(null)).toBeNull();
  });

  it.each([[[]], ['string'], [{ plan: 'text' }], [{ plan: { type: 'string' } }]])('may not be %j', (schema) => {
    expect(() => parseEventSchema(schema)).toThrow('schema');
  });
});

describe('a payload', () => {
  it('is converted to the types of the schema', () => {
    const schema = { name: 'string', count: 'number', paid: 'boolean', on: 'date', gone: 'number' } as const;
    expect(
      checkedPayload({ name: 7, count: '5.5', paid: 'true', on: '2026-11-30', gone: null, other: [1] }, schema),
    ).toEqual({
      name: '7',
      count: 5.5,
      paid: true,
      on: '2026-11-30T00:00:00.000Z',
      gone: null,
      other: [1],
    });
  });

  it.each([
    [{ count: 'many' }, { count: 'number' }],
    [{ count: '' }, { count: 'number' }],
    [{ paid: 'yes' }, { paid: 'boolean' }],
    [{ on: 'tomorrow' }, { on: 'date' }],
    [{ name: {} }, { name: 'string' }],
  ] as const)('with a field that cannot be converted is refused: %j', (payload, schema) => {
    expect(() => checkedPayload(payload, schema)).toThrow('of the `payload` must be a');
  });

  it('has a limited size and depth', () => {
    let deep: unknown = 1;
    for (let level = 0; level < 5_000; level++) deep = { deep };
    expect(() => checkedPayload(deep, null)).toThrow('10 levels');
    expect(() => checkedPayload({ text: 'x'.repeat(65_536) }, null)).toThrow('64 KB');
    expect(() => checkedPayload([], null)).toThrow('must be an object');
    expect(checkedPayload(undefined, { count: 'number' })).toEqual({});
  });
});
