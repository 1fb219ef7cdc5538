import { describe, expect, it } from '@jest/globals';
import { DateTrigger, isMeant, nextDate, parseTrigger } from './trigger.js';

const id = '0193a1f6-0b7e-7d25-9c48-e1a5f7306b2d';
const rule = { type: 'rule', field: 'event.total', operator: 'gt', value: 10 };

describe('a trigger', () => {
  it.each([
    [
      { event_name: 'order.paid', filter_rule: rule, segment_id: 'x' },
      { event_name: 'order.paid', filter_rule: rule },
    ],
    [{ event_name: 'resend:contact.created', segment_id: id }, { event_name: 'resend:contact.created' }],
    [
      { event_name: 'resend:segment.entered', segment_id: id.toUpperCase() },
      { event_name: 'resend:segment.entered', segment_id: id },
    ],
    [
      { event_name: 'resend:email.clicked', template_id: id, link: 'https://a.test/' },
      { event_name: 'resend:email.clicked', template_id: id, link: 'https://a.test/' },
    ],
    [
      { event_name: 'resend:contact.date', property: 'born', every_year: true },
      { event_name: 'resend:contact.date', property: 'born', offset: '0 days', time: '09:00', every_year: true },
    ],
  ])('%j is kept as %j', (config, kept) => {
    expect(parseTrigger(config).kept).toEqual(kept);
  });

  it.each([
    [{}, 'Missing `event_name` field.'],
    [{ event_name: 'resend:form.submitted' }, 'or one of resend:contact.created'],
    [{ event_name: 'resend:segment.entered' }, 'Missing `segment_id` field.'],
    [{ event_name: 'resend:topic.subscribed', topic_id: 'news' }, 'The `topic_id` must be a valid UUID.'],
    [{ event_name: 'resend:email.opened', broadcast_id: 'x' }, '`broadcast_id`'],
    [{ event_name: 'resend:email.received', route_id: 'x' }, '`route_id`'],
    [{ event_name: 'resend:email.received', author: 'me' }, '`author`'],
    [{ event_name: 'resend:contact.date' }, 'Missing `property` field.'],
    [{ event_name: 'resend:contact.date', property: 'a b' }, '`property`'],
    [{ event_name: 'resend:contact.date', property: 'a', offset: '3 hours' }, 'a number of days'],
    [{ event_name: 'resend:contact.date', property: 'a', offset: '200 days', every_year: true }, 'at most 180 days'],
    [{ event_name: 'resend:contact.date', property: 'a', time: '9:00' }, 'a time of day'],
    [{ event_name: 'resend:contact.date', property: 'a', every_year: 1 }, '`every_year`'],
    [{ event_name: 'a', filter_rule: { ...rule, field: 'contact.plan' } }, '`event.`'],
  ])('%j is refused', (config, message) => {
    expect(() => parseTrigger(config)).toThrow(message);
  });

  it('is met by the events that it means', () => {
    const large = parseTrigger({ event_name: 'order.paid', filter_rule: rule }).action;
    expect([{ total: 11 }, { total: 5 }, {}].map((payload) => isMeant(large, payload))).toEqual([
      ...[true, false, false],
    ]);
    const clicked = parseTrigger({ event_name: 'resend:email.clicked', link: 'https://a.test/' }).action;
    expect(isMeant(clicked, { link: 'https://a.test/', template_id: id })).toBe(true);
    expect(isMeant(clicked, { link: 'https://a.test/?b' })).toBe(false);
  });
});

describe('a date of a contact', () => {
  const date = (more: Partial<DateTrigger> = {}): DateTrigger => ({
    property: 'born',
    offsetDays: 0,
    time: '09:00',
    everyYear: false,
    ...more,
  });
  const next = (trigger: DateTrigger, value: unknown, after: string, zone = 'Europe/Berlin'): string[] => {
    const found = nextDate(trigger, value, zone, new Date(after));
    return found === undefined ? [] : [found.date, found.at.toISOString()];
  };

  it.each([
    ['2026-07-01', '2026-06-01T00:00:00Z', ['2026-07-01', '2026-07-01T07:00:00.000Z']],
    ['2026-07-01', '2026-07-01T07:00:00Z', []],
    // In Berlin it is the next day already.
    ['2026-06-30T23:30:00Z', '2026-06-01T00:00:00Z', ['2026-07-01', '2026-07-01T07:00:00.000Z']],
    ['2026-06-30T23:30:00', '2026-06-01T00:00:00Z', ['2026-06-30', '2026-06-30T07:00:00.000Z']],
    ['2026-02-30', '2026-01-01T00:00:00Z', []],
    ['tomorrow', '2026-01-01T00:00:00Z', []],
    ['0000-01-01', '2026-01-01T00:00:00Z', []],
    // "Never". In Berlin it is a day of the year 10000.
    ['9999-12-31', '2026-01-01T00:00:00Z', ['9999-12-31', '9999-12-31T08:00:00.000Z']],
    ['9999-12-31T23:59:59Z', '2026-01-01T00:00:00Z', []],
    ['2026-07-0111', '2026-01-01T00:00:00Z', []],
    [20_260_701, '2026-01-01T00:00:00Z', []],
    [undefined, '2026-01-01T00:00:00Z', []],
  ])('%j comes after %s as %j', (value, after, expected) => {
    expect(next(date(), value, after)).toEqual(expected);
  });

  it('may be some days before or after it', () => {
    expect(next(date({ offsetDays: -3 }), '2026-01-02', '2025-12-01T00:00:00Z')[0]).toBe('2025-12-30');
    expect(next(date({ offsetDays: 7 }), '2026-01-02', '2026-01-03T00:00:00Z')[0]).toBe('2026-01-09');
    expect(next(date({ offsetDays: 1 }), '9999-12-31', '2026-01-03T00:00:00Z')).toEqual([]);
    expect(next(date({ time: '23:59' }), '9999-12-31', '2026-01-03T00:00:00Z', 'America/New_York')).toEqual([]);
  });

  it('comes again each year, from its own year on', () => {
    const yearly = date({ everyYear: true });
    expect(next(yearly, '1990-07-01', '2026-06-01T00:00:00Z')[0]).toBe('2026-07-01');
    expect(next(yearly, '1990-07-01', '2026-07-01T07:00:00Z')[0]).toBe('2027-07-01');
    expect(next(yearly, '2030-07-01', '2026-06-01T00:00:00Z')[0]).toBe('2030-07-01');
    expect(next(yearly, '1992-02-29', '2026-01-01T00:00:00Z')[0]).toBe('2026-02-28');
    expect(next(yearly, '1992-02-29', '2028-01-01T00:00:00Z')[0]).toBe('2028-02-29');
    expect(next(date({ everyYear: true, offsetDays: -10 }), '1990-01-05', '2026-06-01T00:00:00Z')[0]).toBe(
      '2026-12-26',
    );
    expect(next(date({ everyYear: true, offsetDays: 100 }), '1990-12-31', '2026-01-05T00:00:00Z')[0]).toBe(
      '2026-04-10',
    );
  });
});
