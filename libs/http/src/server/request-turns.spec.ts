import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { endTurn, RequestTurns } from './request-turns.js';

// Ten places: six for a team, five for a principal of it.
const connections = 16;
const reply = { header: () => reply, raw: new EventEmitter() } as unknown as FastifyReply;
const loop = { meanMs: 0 };
let turns: RequestTurns;

beforeEach(() => {
  jest.useFakeTimers();
  loop.meanMs = 0;
  turns = new RequestTurns(connections, loop);
});
afterEach(() => void jest.useRealTimers());

function begin(teamId: string, principal = `key of ${teamId}`): { request: FastifyRequest; turn: unknown } {
  const request = {} as FastifyRequest;
  return { request, turn: turns.take({ teamId, principal }, request, reply) };
}

/** How many requests begin at once. */
function begun(teamId: string, principal = `key of ${teamId}`): number {
  let count = 0;
  while (begin(teamId, principal).turn === undefined) count++;
  return count;
}

it('one principal leaves a place to its team, and one team leaves places to others', () => {
  expect(begun('a', 'key')).toBe(5);
  expect(begun('a', 'user')).toBe(1);
  expect(begun('b', 'other key')).toBe(4);
});

it('the longer the event loop takes for a turn, the fewer requests of a team are under way, and others still have a place', () => {
  loop.meanMs = 3;
  expect(begun('a')).toBe(5);
  turns = new RequestTurns(connections, loop);
  loop.meanMs = 8;
  expect(begun('a')).toBe(2);
  loop.meanMs = 500;
  expect(begun('b')).toBe(1);
  turns = new RequestTurns(connections, loop);
  expect([begun('a'), begun('a', 'user'), begun('b')]).toEqual([1, 0, 1]);
});

it('what waited while the event loop was slow begins one by one', async () => {
  loop.meanMs = 500;
  const { request } = begin('a');
  const [first, second] = [begin('a'), begin('a')];
  endTurn(request);
  await first.turn;
  endTurn(first.request);
  await second.turn;
  endTurn(second.request);
  loop.meanMs = 0;
  jest.advanceTimersByTime(10_000);
  expect(begun('a')).toBe(5);
});

it('a request that waits begins when another one of its team has ended', async () => {
  const under = Array.from({ length: 5 }, () => begin('a'));
  const waiting = begin('a');
  endTurn(under[0]?.request as FastifyRequest);
  endTurn(under[0]?.request as FastifyRequest);
  await waiting.turn;
  expect(begin('a').turn).toBeInstanceOf(Promise);
  endTurn(waiting.request);
});

it('a request that has waited for ten seconds is refused and holds nothing', async () => {
  const under = Array.from({ length: 5 }, () => begin('a'));
  const refused = expect(begin('a').turn).rejects.toMatchObject({ code: 'rate_limit_exceeded' });
  await jest.advanceTimersByTimeAsync(10_000);
  await refused;
  for (const { request } of under) endTurn(request);
  expect(Array.from({ length: 5 }, () => begin('a').turn)).toEqual(Array(5).fill(undefined));
});

it('the 257th waiting request of a team is refused at once, and another team is served', async () => {
  for (let n = 0; n < 5 + 256; n++) void (begin('a').turn as Promise<void> | undefined)?.catch(() => undefined);
  await expect(begin('a').turn).rejects.toMatchObject({ code: 'rate_limit_exceeded' });
  expect(begin('b').turn).toBeUndefined();
});

it('requests that write in groups take no places, and the 257th of a team is refused at once', () => {
  const [first] = Array.from({ length: 256 }, () => {
    const request = {} as FastifyRequest;
    turns.takeGrouped({ teamId: 'a', principal: 'key' }, request, reply);
    return request;
  });
  expect(begun('a')).toBe(5);
  const another = (teamId: string): void =>
    turns.takeGrouped({ teamId, principal: 'key' }, {} as FastifyRequest, reply);
  expect(() => another('a')).toThrow(expect.objectContaining({ code: 'rate_limit_exceeded' }));
  another('b');
  endTurn(first as FastifyRequest);
  another('a');
});
