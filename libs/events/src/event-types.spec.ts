import { describe, expect, it } from '@jest/globals';
import {
  engagementTypes,
  eventTypes,
  outcomeOf,
  outcomeTypes,
  providerTypes,
  refusalTypes,
  webhookEventTypes,
} from './event-types.js';

describe('the registry of event types', () => {
  it('lets nobody subscribe to what only the page of an email shows', () => {
    expect(webhookEventTypes).not.toContain('email.canceled');
    expect(webhookEventTypes).toHaveLength(Object.keys(eventTypes).length - 1);
  });

  it('counts as outcomes what others did with an email, and not what its team did', () => {
    expect(
      Object.keys(eventTypes).filter((type) => eventTypes[type as keyof typeof eventTypes].of === 'email'),
    ).toEqual(expect.arrayContaining([...outcomeTypes, 'email.sent', 'email.scheduled', 'email.canceled']));
    expect(outcomeTypes).toHaveLength(8);
    expect(outcomeOf('email.delivered')).toBe('delivered');
    expect(outcomeOf('email.sent')).toBeUndefined();
    expect(outcomeOf('email.eaten')).toBeUndefined();
  });

  it('takes refusals and what people do from the events of emails', () => {
    expect(refusalTypes).toEqual(['email.complained', 'email.bounced']);
    expect([...providerTypes].sort()).toEqual([
      'email.bounced',
      'email.complained',
      'email.delivered',
      'email.delivery_delayed',
      'email.opened',
    ]);
    expect(engagementTypes).toEqual(['email.sent', 'email.opened', 'email.clicked']);
  });
});
