import { EventEmitter, once } from 'node:events';
import { Socket } from 'node:net';
import { expect, it } from '@jest/globals';
import type { FastifyReply } from 'fastify';
import { onceConnectionEnds, onceSent } from './connection-end.js';

it('calls back once when the connection ends, unless it was cancelled', async () => {
  const socket = new Socket();
  let calls = 0;
  onceConnectionEnds(socket, () => calls++);
  const cancel = onceConnectionEnds(socket, () => calls++);
  expect([cancel(), cancel()]).toEqual([true, false]);
  socket.destroy();
  await once(socket, 'close');
  expect(calls).toBe(1);
});

it('calls back at once for a connection that has ended before', async () => {
  const socket = new Socket();
  socket.destroy();
  await once(socket, 'close');
  let calls = 0;
  const cancel = onceConnectionEnds(socket, () => calls++);
  expect([calls, cancel()]).toEqual([1, false]);
});

it('a response has one listener, however many places wait for its end', async () => {
  const raw = new EventEmitter();
  const reply = { raw, request: { raw: { socket: new Socket() } } } as unknown as FastifyReply;
  let calls = 0;
  for (let no = 0; no < 20; no++) onceSent(reply, () => calls++);
  expect(raw.listenerCount('close')).toBe(1);
  raw.emit('close');
  reply.request.raw.socket.destroy();
  await once(reply.request.raw.socket, 'close');
  expect(calls).toBe(20);
});
