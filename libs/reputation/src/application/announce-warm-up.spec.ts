import { expect, it } from '@jest/globals';
import type { TeamEvent } from '#events';
import { Notice, Notices } from '#kernel';
import { AnnounceWarmUp } from './announce-warm-up.js';

const now = new Date('2026-11-21T10:00:00Z');
const of = { domainId: 'd', teamId: 't' };
const day = { limit: 500, sent: 480, bad: 31, decision: 'slowed', slowedDays: 2 } as const;

function announcing(name?: string) {
  const sent: Notice[] = [];
  const appended: TeamEvent[] = [];
  const events = { append: async (some: readonly TeamEvent[]) => void appended.push(...some) };
  const domains = { nameOf: async () => name, addressesOf: async () => ['ann@acme.test', 'bob@acme.test'] };
  const notices = { announce: async (notice: Notice) => void sent.push(notice) };
  const announce = new AnnounceWarmUp(domains, events, notices as unknown as Notices);
  return { sent, appended, announce };
}

const transaction = undefined as never;

it('tells of days that were slowed, with the numbers that decided', async () => {
  const { sent, appended, announce } = announcing('acme.test');
  await announce.slowedAgain({ ...of, provider: 'google', day }, now, transaction);
  expect(appended).toMatchObject([
    {
      teamId: 't',
      type: 'domain.warm_up_changed',
      createdAt: now,
      data: { id: 'd', name: 'acme.test', change: 'slowed', provider: 'google', created_at: now.toISOString() },
    },
  ]);
  expect(sent.map(({ to, owner, subject }) => [to, owner, subject])).toEqual([
    ['ann@acme.test', 't', 'The warm-up of acme.test is slowed'],
    ['bob@acme.test', 't', 'The warm-up of acme.test is slowed'],
  ]);
  expect(sent[0]?.text).toContain(
    'to Google was slowed on 2 days running.\n\nThe limit stays, because 31 of 480 messages',
  );
});

it('sends one mail for a domain in a day, whatever the provider', async () => {
  const { sent, announce } = announcing('acme.test');
  for (const provider of ['google', 'yahoo']) await announce.slowedAgain({ ...of, provider, day }, now, transaction);
  expect(new Set(sent.map(({ key }) => key)).size).toBe(2);
});

it('tells of the end', async () => {
  const { sent, appended, announce } = announcing('acme.test');
  await announce.ended(of, now, transaction);
  expect(appended).toMatchObject([{ data: { change: 'ended', provider: null } }]);
  expect(sent[0]).toMatchObject({ subject: 'The warm-up of acme.test has ended' });
});

it('says nothing about a domain that was deleted', async () => {
  const { sent, appended, announce } = announcing(undefined);
  await announce.ended(of, now, transaction);
  expect([sent, appended]).toEqual([[], []]);
});
