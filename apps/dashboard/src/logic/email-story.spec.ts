import { describe, expect, it } from '@jest/globals';
import { Attempt, deliveryTime, phaseBars, Recipient, sentenceOf, shownEvents, Story } from './email-story.js';

const attempt = (more: Partial<Attempt> = {}): Attempt => ({
  attempt: 1,
  started_at: '2026-11-30 20:40:00.2+00',
  duration_ms: 1_000,
  outcome: 'delivered',
  outcome_unknown: false,
  category: null,
  reason: null,
  region: null,
  pool: null,
  source_address: null,
  host: 'mx.example.org',
  reply: { code: 250 },
  ...more,
});

const recipient = (more: Partial<Recipient> = {}): Recipient => ({
  recipient: 'ada@example.org',
  status: 'delivered',
  next_attempt_at: null,
  attempts: [attempt()],
  events: [],
  ...more,
});

const story = (...recipients: Recipient[]): Story => ({
  created_at: '2026-11-30 20:40:00+00',
  scheduled_at: null,
  recipients,
});

describe('the sentence about an email', () => {
  it('names the receiver and the time that it took', () => {
    expect(sentenceOf(story(recipient()))).toEqual({ key: 'delivered', receiver: 'example.org', took: 1_200 });
    const host = 'gmail-smtp-in.l.google.com';
    expect(sentenceOf(story(recipient({ attempts: [attempt({ host })] })))).toMatchObject({ receiver: 'Gmail' });
  });

  it('says that it was opened or clicked', () => {
    const opened = { type: 'email.opened', created_at: '2026-11-30 20:50:00+00' };
    const clicked = { ...opened, type: 'email.clicked' };
    expect(sentenceOf(story(recipient({ events: [opened] })))).toMatchObject({ key: 'opened' });
    expect(sentenceOf(story(recipient({ events: [opened, clicked] })))).toMatchObject({ key: 'clicked' });
  });

  it('gives the reason of a refusal, and none that it has no words for', () => {
    const refused = (category: string | null): Recipient =>
      recipient({ status: 'bounced', attempts: [attempt({ outcome: 'bounced', category, reply: { code: 550 } })] });
    expect(sentenceOf(story(refused('bad-address')))).toMatchObject({ key: 'bounced', category: 'bad-address' });
    expect(sentenceOf(story(refused('new-kind')))).toMatchObject({ category: 'unknown' });
  });

  it('tells a receiver that cannot be reached from one that says: later', () => {
    const delayed = (more: Partial<Attempt>): Recipient =>
      recipient({ status: 'delayed', attempts: [attempt({ outcome: 'deferred', ...more })] });
    expect(sentenceOf(story(delayed({ reply: null })))).toMatchObject({ key: 'unreachable' });
    expect(sentenceOf(story(delayed({ category: 'our-fault', reply: null })))).toMatchObject({ key: 'notReady' });
    expect(sentenceOf(story(delayed({ category: 'rate', reply: { code: 421 } })))).toMatchObject({ key: 'delayed' });
  });

  it('counts several recipients by what became of them', () => {
    const recipients = [recipient(), recipient({ status: 'complained' }), recipient({ status: 'bounced' })];
    expect(sentenceOf(story(...recipients))).toEqual({
      key: 'several',
      counts: { total: 3, delivered: 2, bounced: 1 },
    });
  });

  it.each(['queued', 'scheduled', 'suppressed', 'canceled', 'complained'] as const)('knows %s', (status) => {
    expect(sentenceOf(story(recipient({ status, attempts: [] }))).key).toBe(status);
  });
});

it('the time of a scheduled email begins at its time', () => {
  const scheduled = { ...story(), scheduled_at: '2026-11-30 20:40:01+00' };
  expect(deliveryTime(scheduled, recipient())).toBe(200);
  expect(deliveryTime(story(), recipient({ attempts: [] }))).toBeUndefined();
});

it('events that an attempt tells already are left out', () => {
  const event = (type: string) => ({ type, created_at: '' });
  const events = ['email.delivered', 'email.opened', 'email.sent'].map(event);
  expect(shownEvents({ attempts: [attempt()], events }).map(({ type }) => type)).toEqual(['email.opened']);
  expect(shownEvents({ attempts: [], events }).map(({ type }) => type)).toEqual(['email.delivered', 'email.opened']);
});

it('phases follow each other, and time that no phase accounts for was waiting', () => {
  const bars = phaseBars({ dns: 10, connect: 30, reply: 60 }, 200);
  expect(bars.map(({ phase, ms }) => [phase, ms])).toEqual([
    ['waiting', 100],
    ['dns', 10],
    ['connect', 30],
    ['reply', 60],
  ]);
  expect(bars.map(({ from }) => from)).toEqual([0, 0.5, 0.55, 0.7]);
  expect(phaseBars(null, 0)).toEqual([]);
});
