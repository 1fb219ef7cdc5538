import { describe, expect, it } from '@jest/globals';
import { parseStep } from './step.js';

const step = (type: string, config?: unknown): ReturnType<typeof parseStep> => parseStep({ key: 'one', type, config });

describe('a step', () => {
  it('keeps what it knows of its config, as it was given', () => {
    const config = { template: { id: 'welcome', variables: { PLAN: { var: 'event.plan' }, N: 5 } }, subject: '', x: 1 };
    const { stored, action } = step('send_email', config);
    expect(stored).toEqual({
      key: 'one',
      type: 'send_email',
      config: { template: { id: 'welcome', variables: { PLAN: { var: 'event.plan' }, N: 5 } } },
    });
    expect(action).toEqual({
      type: 'send_email',
      templateId: 'welcome',
      variables: new Map<string, unknown>([
        ['PLAN', { variable: 'event.plan' }],
        ['N', { value: 5 }],
      ]),
    });
  });

  it('waits for events of a contact or of an email', () => {
    expect(step('wait_for_event', { event_name: 'order.paid', timeout: '2 days' }).action).toMatchObject({
      eventName: 'order.paid',
      ms: 172_800_000,
      rule: null,
    });
    expect(step('wait_for_event', { event_name: 'resend:email.opened' }).action).toMatchObject({ ms: 2_592_000_000 });
  });

  it.each([
    ['wait_until', { time: '09:00', weekdays: ['fri', 'mon', 'mon'] }, { weekdays: ['mon', 'fri'], timeZone: null }],
    ['wait_until', { time: '09:00', time_zone: 'Asia/Tokyo' }, { timeZone: 'Asia/Tokyo' }],
    ['goal', { event_name: 'order.paid' }, { eventName: 'order.paid', rule: null }],
    ['send_event', { event_name: 'won' }, { eventName: 'won', payload: new Map() }],
    ['webhook', { url: 'https://a.test' }, { url: 'https://a.test', body: null }],
    [
      'webhook',
      { url: 'https://a.test', body: { stock: { var: 'webhooks.shop.stock' } } },
      { body: new Map([['stock', { variable: 'webhooks.shop.stock' }]]) },
    ],
  ])('%s with %j is understood', (type, config, expected) => {
    expect(step(type, config).action).toMatchObject(expected);
  });

  it('changes fields of a contact', () => {
    expect(
      step('contact_update', { first_name: null, unsubscribed: true, properties: { plan: { var: 'event.plan' } } })
        .action,
    ).toEqual({
      type: 'contact_update',
      fields: new Map<string, unknown>([
        ['first_name', { value: null }],
        ['unsubscribed', { value: true }],
        ['properties.plan', { variable: 'event.plan' }],
      ]),
    });
  });

  it.each([
    ['trigger', {}, 'Invalid step `one`: Missing `event_name` field.'],
    ['trigger', { event_name: 'resend:nothing' }, 'or one of resend:contact.created'],
    ['send_email', {}, 'Missing `template` field.'],
    ['send_email', { template: { id: 'a' }, from: 'nobody' }, '`from`'],
    ['send_email', { template: { id: 'a' }, topic_id: 'a' }, '`topic_id`'],
    ['send_email', { template: { id: 'a' }, subject: 'a\nb' }, 'line breaks'],
    ['send_email', { template: { id: 'a', variables: { A: { var: 'a.b' } } } }, '`event.`, `contact.`, `wait_events.`'],
    ['delay', { duration: '31 days' }, 'at most 30 days'],
    ['delay', {}, 'Missing `duration` field.'],
    ['wait_for_event', { event_name: 'resend:email.sent' }, 'or one of resend:email.delivered'],
    [
      'wait_for_event',
      { event_name: 'a', filter_rule: { type: 'rule', field: 'contact.email', operator: 'exists' } },
      '`event.`',
    ],
    ['condition', {}, 'the `type` must be'],
    ['contact_update', {}, 'changes nothing'],
    ['contact_update', { unsubscribed: 'yes' }, '`unsubscribed`'],
    ['contact_update', { properties: { plan: true } }, '`plan`'],
    ['add_to_segment', { segment_id: 'a' }, '`segment_id`'],
    ['remove_from_segment', {}, 'Missing `segment_id` field.'],
    ['split', { percent: 101 }, 'between 0 and 100'],
    ['split', {}, 'between 0 and 100'],
    ['wait_until', {}, '`time`'],
    ['wait_until', { time: '25:00' }, '`time`'],
    ['wait_until', { time: '09:00', weekdays: [] }, '`weekdays`'],
    ['wait_until', { time: '09:00', weekdays: ['monday'] }, '`weekdays`'],
    ['wait_until', { time: '09:00', time_zone: 'Middle/Earth' }, '`time_zone`'],
    ['goal', {}, 'Missing `event_name` field.'],
    ['goal', { event_name: 'resend:contact.created' }, 'or one of resend:email.delivered'],
    ['send_event', { event_name: 'resend:contact.created' }, 'must not begin with `resend:`'],
    ['send_event', { event_name: 'a', payload: [] }, '`payload`'],
    ['webhook', {}, 'Missing `url` field.'],
    ['webhook', { url: 'https://a.test', method: 'GET' }, '`POST`'],
    ['webhook', { url: 'https://a.test', body: { a: { var: 'run.id' } } }, '`webhooks.`'],
    ['answer', {}, 'must be one of trigger'],
    ['delay', [], '`config`'],
    ['contact_delete', { text: 'x'.repeat(70_000) }, '64 KB'],
  ])('of the type %s with %j is refused', (type, config, message) => {
    expect(() => step(type, config)).toThrow(message);
  });

  it('has a config that is not too deep', () => {
    let value: unknown = 1;
    for (let level = 0; level < 10_000; level++) value = [value];
    expect(() => step('send_email', { template: { id: 'a', variables: { value } } })).toThrow('20 levels');
  });

  it.each([undefined, '', 5, 'x'.repeat(256), 'a\0b'])('needs a key, not %j', (key) => {
    expect(() => parseStep({ key, type: 'contact_delete' })).toThrow('needs a `key`');
  });
});
