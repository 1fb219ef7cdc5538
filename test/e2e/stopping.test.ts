import { once } from 'node:events';
import { connect, Socket } from 'node:net';
import { afterEach, expect, it } from '@jest/globals';
import { startProgram } from '../support/programs/program.js';

const sockets: Socket[] = [];

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

/** A connection on which this text was sent, and nothing else follows. */
async function opened(url: string, text: string): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.on('error', () => undefined);
  sockets.push(socket);
  await once(socket, 'connect');
  if (text !== '') socket.write(text);
  return socket;
}

async function secondsOfStop(stop: () => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  await stop();
  return (performance.now() - startedAt) / 1_000;
}

it('a stop does not wait for connections without a request, nor longer than it may for half a request', async () => {
  const program = await startProgram({ SHUTDOWN_SECONDS: '5' });
  // As a browser does ahead of a request, and a client that is done.
  await opened(program.url, '');
  const done = await opened(program.url, 'GET /livez HTTP/1.1\r\nhost: a.test\r\n\r\n');
  await once(done, 'data');
  const half = await opened(program.url, 'POST /emails HTTP/1.1\r\nhost: a.test\r\ncontent-length: 100\r\n\r\n{"from"');
  const closed = once(half, 'close');
  expect(await secondsOfStop(() => program.stop())).toBeLessThan(15);
  await closed;
});

it('a stop without open requests takes a moment', async () => {
  const program = await startProgram({ SHUTDOWN_SECONDS: '60' });
  await opened(program.url, '');
  expect(await secondsOfStop(() => program.stop())).toBeLessThan(30);
});
