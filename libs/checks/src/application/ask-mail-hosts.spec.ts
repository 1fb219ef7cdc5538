import { describe, expect, it, jest } from '@jest/globals';
import { MailHosts } from '#mx';
import type { MailHostsFinding } from '#mx';
import { TestClock } from '../../../../test/support/fakes/test-clock.js';
import { AskMailHosts, maxDomainsPerHour } from './ask-mail-hosts.js';

/** Answers when it is told to. */
class HeldHosts extends MailHosts {
  readonly asked: string[] = [];
  readonly known = new Set<string>();
  private readonly waiting: (() => void)[] = [];
  isHolding = false;

  knows(domain: string): boolean {
    return this.known.has(domain);
  }

  async of(domain: string): Promise<MailHostsFinding> {
    this.asked.push(domain);
    if (this.isHolding) await new Promise<void>((resolve) => this.waiting.push(resolve));
    this.known.add(domain);
    return 'found';
  }

  release(): void {
    for (const resolve of this.waiting.splice(0)) resolve();
  }
}

const names = (count: number, from = 0): string[] =>
  Array.from({ length: count }, (_, index) => `d${from + index}.test`);

describe('asking for mail hosts', () => {
  it('asks about a bounded number of domains of a team in an hour, and about those that are known without end', async () => {
    const hosts = new HeldHosts();
    const clock = new TestClock();
    const ask = new AskMailHosts(hosts, clock);
    await ask.of('t1', names(maxDomainsPerHour));
    expect([...(await ask.of('t1', ['one-more.test', 'd7.test'])).values()]).toEqual(['not_checked', 'found']);
    expect(hosts.asked).not.toContain('one-more.test');
    expect((await ask.of('t2', ['one-more.test'])).get('one-more.test')).toBe('found');
    clock.advance(3_600_000);
    expect((await ask.of('t1', ['later.test'])).get('later.test')).toBe('found');
  });

  it('asks about eight domains of a team at the same time, while others get their answers', async () => {
    const hosts = new HeldHosts();
    const ask = new AskMailHosts(hosts, new TestClock());
    hosts.isHolding = true;
    const answers = ask.of('t1', names(20));
    const others = ask.of('t2', ['other.test']);
    await new Promise((resolve) => setImmediate(resolve));
    expect(hosts.asked).toHaveLength(9);
    hosts.isHolding = false;
    hosts.release();
    expect((await answers).size).toBe(20);
    expect((await others).get('other.test')).toBe('found');
  });

  it('gives up what is not answered in time, and goes on to hold its turns', async () => {
    jest.useFakeTimers();
    const hosts = new HeldHosts();
    hosts.isHolding = true;
    const ask = new AskMailHosts(hosts, new TestClock());
    const answers = ask.of('t1', names(20));
    await jest.advanceTimersByTimeAsync(8_000);
    expect([...(await answers).values()]).toEqual(Array(20).fill('unknown'));
    const later = ask.of('t1', ['later.test']);
    await jest.advanceTimersByTimeAsync(0);
    expect([hosts.asked.length, hosts.asked.includes('later.test')]).toEqual([8, false]);
    hosts.isHolding = false;
    hosts.release();
    expect((await later).get('later.test')).toBe('found');
    jest.useRealTimers();
  });
});
