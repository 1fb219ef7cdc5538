import { describe, expect, it } from '@jest/globals';
import { DeliveryOutcome } from '../domain/attempt.js';
import { LaneHealth } from './deliver-email.js';
import { DeliveryQueue } from './ports/delivery-queue.port.js';

const deferred = (fields: object, detail: object = {}): DeliveryOutcome => ({
  kind: 'deferred',
  reason: 'mx.site.test: trouble',
  outcomeUnknown: false,
  ...fields,
  detail: { durationMs: 1, ...detail },
});

/** What the queue is told after a probe that ended so. */
async function afterProbe(outcome: DeliveryOutcome): Promise<string[]> {
  const told: string[] = [];
  const queue = {
    pause: async () => void told.push('pause'),
    resume: async () => void told.push('resume'),
  } as unknown as DeliveryQueue;
  await new LaneHealth(queue, 'mx:site.test', 'worker').learnFrom(outcome, true);
  return told;
}

describe('a probe of a site that was down', () => {
  it.each<[string, DeliveryOutcome, string[]]>([
    ['goes on to wait where nobody can be talked to yet', deferred({ isSiteTrouble: true }), ['pause']],
    ['says nothing of it where an address of a pool has trouble', deferred({ isSiteTrouble: true }, { pool: 'a' }), []],
    ['says nothing of the site where the trouble is our own', deferred({}), []],
    ['ends the wait when the message is taken', { kind: 'delivered', detail: { durationMs: 1 } }, ['resume']],
    ['ends it when the recipient is deferred', deferred({}, { host: 'mx.site.test', replyCode: 450 }), ['resume']],
    [
      'ends it when the site greets us and hangs up later',
      deferred({ outcomeUnknown: true }, { host: 'mx.site.test', address: '127.0.0.1:25' }),
      ['resume'],
    ],
  ])('%s', async (_, outcome, told) => {
    expect(await afterProbe(outcome)).toEqual(told);
  });

  it('counts though the end of the wait cannot be written down: the next one will say it again', async () => {
    const queue = { resume: () => Promise.reject(new Error('the database is away')) } as unknown as DeliveryQueue;
    const delivered: DeliveryOutcome = { kind: 'delivered', detail: { durationMs: 1 } };
    expect(await new LaneHealth(queue, 'mx:site.test', 'worker').learnFrom(delivered, true)).toBe(true);
  });
});
