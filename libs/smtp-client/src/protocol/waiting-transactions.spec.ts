import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { NotAttemptedError } from '#delivery';
import type { MessageContent, OutboundMessage } from '#delivery';
import { SmtpTransaction } from './smtp-transaction.js';
import { WaitingTransactions } from './waiting-transactions.js';

const kilobyte = 1024;
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Content that waits for memory until `granted` is called, and is read until `done` is called. */
class Content {
  isAsked = false;
  isReleased = false;
  granted!: () => void;
  done!: () => void;
  isInDemand = false;

  read(onGranted?: () => void): Promise<MessageContent> {
    this.isAsked = true;
    this.isReleased = false;
    this.granted = () => onGranted?.();
    return new Promise((resolve) => {
      this.done = () => {
        this.granted();
        resolve(this);
      };
    });
  }

  readonly bytes = Buffer.from('Subject: Hello\r\n\r\nHi.\r\n');

  release(): void {
    this.isReleased = true;
  }
}

/** A pool with one busy connection, which reads ahead at most four messages. */
class BusyPool {
  idle = 0;
  readonly waiting = new WaitingTransactions(() => this.prepare());

  push(teamId: string, size = 5 * kilobyte, isBulk = false): Content {
    const content = new Content();
    const message: OutboundMessage = {
      emailId: 'email',
      teamId,
      isBulk,
      lane: 'us-east-1/default/mx:b.test',
      mailFrom: '',
      recipients: ['a@b.test'],
      size,
      content: (onGranted) => content.read(onGranted),
    };
    this.waiting.push(new SmtpTransaction(message, 'mx.test'));
    this.prepare();
    return content;
  }

  prepare(): void {
    while (this.waiting.mayPrepare(4, this.idle)) this.waiting.prepareNext();
  }
}

const asked = (contents: readonly Content[]): number => contents.filter(({ isAsked }) => isAsked).length;

it('content that waits for memory does not take read-ahead room from other teams', async () => {
  const pool = new BusyPool();
  const full = Array.from({ length: 20 }, () => pool.push('full'));
  const good = Array.from({ length: 6 }, () => pool.push('good'));
  await turn();
  await turn();
  expect([asked(full), asked(good)]).toEqual([4, 4]);
  for (const content of good) if (content.isAsked) content.done();
  await turn();
  expect([pool.waiting.ready, pool.waiting.ahead, asked(full)]).toEqual([4, 4, 4]);
});

it('content that waited for memory counts as ahead once it is granted', async () => {
  const pool = new BusyPool();
  const full = Array.from({ length: 4 }, () => pool.push('full'));
  await turn();
  expect(pool.waiting.ahead).toBe(0);
  for (const content of full) content.granted();
  expect(pool.waiting.ahead).toBe(4);
  const good = pool.push('good');
  await turn();
  expect(good.isAsked).toBe(false);
  for (const content of full) content.done();
  await turn();
  pool.waiting.take(Infinity);
  pool.prepare();
  expect(good.isAsked).toBe(true);
});

it('transactions taken by takeAll no longer wait, even if their content is still being read', async () => {
  const pool = new BusyPool();
  const contents = [pool.push('team'), pool.push('team'), pool.push('other')];
  contents[0]?.granted();
  contents[1]?.done();
  await turn();
  const all = pool.waiting.takeAll();
  for (const transaction of all) {
    transaction.withdraw();
    await expect(transaction.outcomes).rejects.toThrow(NotAttemptedError);
  }
  expect([all.length, pool.waiting.length, pool.waiting.ahead]).toEqual([3, 0, 0]);
  for (const content of contents) content.done();
  await turn();
  expect([pool.waiting.length, pool.waiting.ahead]).toEqual([0, 0]);
  expect(contents.every(({ isReleased }) => isReleased)).toBe(true);
});

it('content is read ahead within the limit, and larger content once a connection is free', async () => {
  const pool = new BusyPool();
  const first = pool.push('a', 600 * kilobyte);
  const large = pool.push('b', 600 * kilobyte);
  const small = pool.push('c');
  expect([first.isAsked, large.isAsked, small.isAsked]).toEqual([true, false, false]);
  first.done();
  await turn();
  pool.waiting.take(Infinity);
  pool.prepare();
  expect([large.isAsked, small.isAsked]).toEqual([true, true]);

  const huge = pool.push('d', 5_000 * kilobyte);
  for (const content of [large, small]) content.done();
  await turn();
  while (pool.waiting.take(Infinity) !== undefined) pool.prepare();
  expect(huge.isAsked).toBe(false);
  pool.idle = 1;
  pool.prepare();
  expect(huge.isAsked).toBe(true);
});

describe('bulk mail', () => {
  /** Lets the connection take messages until none waits, and says of which kind they were. */
  async function sent(pool: BusyPool, contents: readonly Content[], count: number): Promise<string> {
    let kinds = '';
    while (kinds.length < count) {
      for (const content of contents) if (content.isAsked) content.done();
      await turn();
      kinds += pool.waiting.take(Infinity)?.message.isBulk === true ? 'b' : 't';
      pool.prepare();
    }
    return kinds;
  }

  it('keeps a transactional message waiting for no bulk message that is ready', async () => {
    const pool = new BusyPool();
    const bulk = Array.from({ length: 20 }, () => pool.push('news', 5 * kilobyte, true));
    for (const content of bulk) if (content.isAsked) content.done();
    await turn();
    expect([pool.waiting.ready, asked(bulk)]).toEqual([4, 4]);
    const one = pool.push('shop');
    expect(await sent(pool, [...bulk, one], 4)).toBe('tbbb');
  });

  it('gets an eighth beside endless transactional mail, and its teams take turns', async () => {
    const pool = new BusyPool();
    const many = Array.from({ length: 200 }, () => pool.push('shop'));
    const first = Array.from({ length: 100 }, () => pool.push('first', 64 * kilobyte, true));
    const second = Array.from({ length: 100 }, () => pool.push('second', 64 * kilobyte, true));
    const kinds = await sent(pool, [...many, ...first, ...second], 160);
    expect(kinds.split('b').length - 1).toBe(20);
    // The first four were read ahead before the other team had any.
    expect(Math.abs(asked(first) - asked(second))).toBeLessThanOrEqual(4);
  });
});

describe('content that is ready and that no connection takes', () => {
  afterEach(() => void jest.useRealTimers());

  it('is released after a while if other mail waits for the memory, and not read ahead again at once', async () => {
    jest.useFakeTimers();
    const pool = new BusyPool();
    const contents = Array.from({ length: 4 }, (_, n) => pool.push(`team${n}`));
    await jest.advanceTimersByTimeAsync(1);
    for (const content of contents) content.done();
    await jest.advanceTimersByTimeAsync(60_000);
    expect(pool.waiting.ready).toBe(4);

    for (const content of contents) content.isAsked = false;
    for (const content of contents.slice(1)) content.isInDemand = true;
    await jest.advanceTimersByTimeAsync(5_000);
    expect(contents.map(({ isReleased }) => isReleased)).toEqual([false, true, true, true]);
    expect([pool.waiting.ready, pool.waiting.length, asked(contents)]).toEqual([1, 4, 0]);

    // The host continues.
    pool.waiting.take(Infinity);
    pool.prepare();
    expect(asked(contents)).toBe(3);
  });

  it('is read again for a free connection', async () => {
    jest.useFakeTimers();
    const pool = new BusyPool();
    const content = pool.push('team');
    await jest.advanceTimersByTimeAsync(1);
    content.done();
    content.isInDemand = true;
    await jest.advanceTimersByTimeAsync(10_000);
    expect(pool.waiting.ready).toBe(0);
    content.isAsked = false;
    pool.idle = 1;
    pool.prepare();
    expect(content.isAsked).toBe(true);
  });

  it('is kept while it is recent', async () => {
    jest.useFakeTimers();
    const pool = new BusyPool();
    const early = pool.push('early');
    early.done();
    await jest.advanceTimersByTimeAsync(4_000);
    const late = pool.push('late');
    late.done();
    for (const content of [early, late]) content.isInDemand = true;
    await jest.advanceTimersByTimeAsync(1_500);
    expect([early.isReleased, late.isReleased]).toEqual([true, false]);
    await jest.advanceTimersByTimeAsync(5_000);
    expect(late.isReleased).toBe(true);
  });
});
