import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { MessageWaitsForMemoryError } from '../../application/ports/routed-messages.port.js';
import { MessageMemory } from './message-memory.js';

const megabyte = 1024 * 1024;
let memory: MessageMemory;

beforeEach(() => void (memory = new MessageMemory()));
afterEach(() => void jest.useRealTimers());

/** Hands a message to a host that says nothing. Undefined if it has to wait. */
async function handedOver(teamId: string, size: number): Promise<(() => void) | undefined> {
  const held = await memory.take(teamId, size);
  const ended = held.holdForHost();
  held.release();
  return ended;
}

it('silent hosts of two teams leave room for the messages of a third one, and for what it hands over', async () => {
  const underWay = [];
  for (const team of ['a', 'b', 'a', 'b', 'a', 'b', 'a', 'b']) {
    underWay.push(await handedOver(team, 8 * megabyte), await handedOver(team, 5 * megabyte));
  }
  expect(underWay.filter((ended) => ended !== undefined)).toHaveLength(4);
  // Their own webhooks and forwards go on as well.
  for (const team of ['a', 'c']) (await memory.take(team, 17 * megabyte)).release();
  expect(await handedOver('c', 5 * megabyte)).toBeDefined();
});

it('a message that is larger than the share of its team goes to a host, alone', async () => {
  const first = await handedOver('a', 30 * megabyte);
  expect(first).toBeDefined();
  expect(await handedOver('a', 1)).toBeUndefined();
  expect(await handedOver('b', 5 * megabyte)).toBeDefined();
  first?.();
  expect(await handedOver('a', 1)).toBeDefined();
});

it('the memory of a message is held once, by its run and by all hosts that get it', async () => {
  jest.useFakeTimers();
  const held = await memory.take('a', 30 * megabyte);
  const [one, two] = [held.holdForHost(), held.holdForHost()];
  expect([one, two]).not.toContain(undefined);
  one?.();
  held.release();
  const waiting = expect(memory.take('a', 30 * megabyte)).rejects.toThrow(MessageWaitsForMemoryError);
  await jest.advanceTimersByTimeAsync(10_000);
  await waiting;
  two?.();
  (await memory.take('a', 30 * megabyte)).release();
  expect(await handedOver('a', 30 * megabyte)).toBeDefined();
});
