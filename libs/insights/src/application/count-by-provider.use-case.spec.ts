import { expect, it } from '@jest/globals';
import { newId, Transaction } from '#kernel';
import { AddedCounts, CountedOutcome, KnownSites } from '../domain/provider-counts.js';
import { CountByProvider, providerOf } from './count-by-provider.use-case.js';
import {
  BadOutcomes,
  OutcomeSpan,
  ProviderCounters,
  RefusedSender,
  TroubledPair,
} from './ports/provider-counters.port.js';

class NoTransaction extends Transaction {}

const span: OutcomeSpan = { after: '0', position: '9', firstEmailId: newId(), lastEmailId: newId() };
const outcome: CountedOutcome = {
  teamId: newId(),
  domainId: newId(),
  hour: new Date('2026-11-20T14:00:00Z'),
  receiver: 'mx1.example.net',
  event: 'delivered',
  category: null,
  tls: 'none',
  time: 1,
  isTest: false,
  count: 2,
  reply: null,
  emailId: null,
};

class ToldOutcomes extends BadOutcomes {
  readonly told: TroubledPair[] = [];

  async touched(pairs: readonly TroubledPair[]): Promise<void> {
    this.told.push(...pairs);
  }

  readonly refused: RefusedSender[] = [];

  async senderRefused(senders: readonly RefusedSender[]): Promise<void> {
    this.refused.push(...senders);
  }
}

class GivenOutcomes extends ProviderCounters {
  readonly added: AddedCounts[] = [];
  readonly asked: unknown[] = [];

  constructor(private readonly outcomes: readonly CountedOutcome[]) {
    super();
  }

  async outcomesOf(): Promise<readonly CountedOutcome[]> {
    return this.outcomes;
  }

  async unsubscribesOf(): Promise<readonly CountedOutcome[]> {
    return this.outcomes.map((given) => ({ ...given, event: 'unsubscribed' as const, tls: null, time: null }));
  }

  async sitesOf(keys: readonly unknown[]): Promise<KnownSites> {
    this.asked.push(...keys);
    return new Map();
  }

  async add(counts: AddedCounts): Promise<void> {
    this.added.push(counts);
  }

  async read(): Promise<never> {
    throw new Error('not asked');
  }
}

it('adds up the outcomes of a stretch of the log by provider', async () => {
  const counters = new GivenOutcomes([outcome, { ...outcome, receiver: 'mx2.example.net' }]);
  const told = new ToldOutcomes();
  const counts = new CountByProvider(counters, told);
  await counts.countEmails(span, new NoTransaction());
  await counts.countUnsubscribes(span, new NoTransaction());
  expect(counters.asked).toEqual(Array.from({ length: 2 }, () => ({ domainId: outcome.domainId, day: '2026-11-20' })));
  expect(told.told).toEqual([]);
  expect(counters.added.map(({ days }) => days.map(({ provider, kind, count }) => [provider, kind, count]))).toEqual([
    [
      ['example.net', 'delivered', 4],
      ['example.net', 'tls/none', 4],
      ['example.net', 'time/1', 4],
    ],
    [['example.net', 'unsubscribed', 4]],
  ]);
});

it('tells of bad outcomes, each sender and provider once', async () => {
  const bad = { ...outcome, event: 'bounced' as const, category: 'content' };
  const told = new ToldOutcomes();
  const counters = new GivenOutcomes([outcome, bad, { ...bad, hour: new Date('2026-11-20T15:00:00Z') }]);
  await new CountByProvider(counters, told).countEmails(span, new NoTransaction());
  expect(told.told).toEqual([{ teamId: outcome.teamId, domainId: outcome.domainId, provider: 'example.net' }]);
});

it('tells of refusals of the sender once for a domain, and not the guard', async () => {
  const refused = { ...outcome, event: 'bounced' as const, category: 'bad-sender', reply: '550 <a@b.test> unknown' };
  const told = new ToldOutcomes();
  const counters = new GivenOutcomes([
    refused,
    { ...refused, receiver: 'mx.other.test' },
    { ...refused, isTest: true },
  ]);
  await new CountByProvider(counters, told).countEmails(span, new NoTransaction());
  expect(told.refused).toEqual([
    { teamId: outcome.teamId, domainId: outcome.domainId, reply: '550 [address] unknown' },
  ]);
  expect([told.told, counters.added[0]?.hours]).toEqual([[], []]);
});

it('writes nothing for a stretch without outcomes', async () => {
  const counters = new GivenOutcomes([]);
  await new CountByProvider(counters, new ToldOutcomes()).countEmails(span, new NoTransaction());
  expect([counters.added, counters.asked]).toEqual([[], []]);
});

it.each([
  ['ASPMX.L.Google.com', 'google'],
  ['@hotmail.com', 'microsoft'],
  ['mx3.mail.example.co.uk', 'example.co.uk'],
  ['@Example.NET', 'example.net'],
  ['localhost', 'others'],
  ['127.0.0.1', 'others'],
  ['<script>.evil.test', 'evil.test'],
  ['mx.<script>', 'others'],
  [`mx.${'a'.repeat(200)}.test`, 'others'],
])('the provider behind %s is %s', (receiver, provider) => {
  expect(providerOf(receiver)).toBe(provider);
});
