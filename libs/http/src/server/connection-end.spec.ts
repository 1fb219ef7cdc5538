import { once } from 'node:events';
import { Socket } from 'node:net';
import { expect, it } from '@jest/globals';
import { onceConnectionEnds } from './connection-end.js';

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
