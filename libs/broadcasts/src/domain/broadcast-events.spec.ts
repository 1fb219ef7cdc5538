import { expect, it } from '@jest/globals';
import { broadcastEvents } from './broadcast-events.js';

it('reads of each event what broadcasts count', () => {
  const createdAt = new Date(5);
  const event = (type: string, data: unknown = null) => ({ emailId: 'e', createdAt, type, data });
  const nothing = { emailId: 'e', createdAt, isMachine: false, bounceType: null, link: null };
  expect(
    broadcastEvents([
      event('email.sent'),
      event('email.delivered'),
      event('email.bounced', { bounce: { type: 'Permanent' } }),
      event('email.bounced', { bounce: {} }),
      event('email.opened', { open: { machine: true } }),
      event('email.clicked', { click: { link: 'https://a.test/' } }),
    ]),
  ).toEqual([
    { ...nothing, kind: 'delivered' },
    { ...nothing, kind: 'bounced', bounceType: 'permanent' },
    { ...nothing, kind: 'bounced', bounceType: 'undetermined' },
    { ...nothing, kind: 'opened', isMachine: true },
    { ...nothing, kind: 'clicked', link: 'https://a.test/' },
  ]);
});
