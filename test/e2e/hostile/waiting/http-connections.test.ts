import type { Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { calmMs } from '../../../support/clients/bystanders.js';
import { HostileProgram, startHostileProgram } from '../../../support/programs/hostile-program.js';
import { responseOf, closeAll, loopbackAddress, openConnections } from '../../../support/clients/raw-connections.js';
import { rawRequest } from '../../../support/clients/raw-http.js';
import { until } from '../../../support/runner/until.js';

const mebibyte = 1024 * 1024;
const maxConnections = 600;
const maxPerNetwork = 150;

let hostile: HostileProgram;

beforeAll(async () => {
  hostile = await startHostileProgram({
    HTTP_MAX_CONNECTIONS: String(maxConnections),
    HTTP_MAX_CONNECTIONS_PER_NETWORK: String(maxPerNetwork),
  });
});

afterAll(() => hostile.stop());

const unfinished = (bytes: number): string =>
  `POST /emails HTTP/1.1\r\nHost: a\r\nContent-Length: ${bytes}\r\n\r\n${'x'.repeat(Math.min(bytes - 1, 15_000))}`;

const countOpen = (sockets: readonly Socket[]): number => sockets.filter((socket) => !socket.destroyed).length;

describe('two thousand connections without a key', () => {
  it.each([
    ['with unfinished bodies', () => unfinished(16_000)],
    ['with unfinished heads', () => `GET /emails HTTP/1.1\r\nHost: a\r\nX-A: ${'x'.repeat(8_000)}`],
    ['that say nothing', () => ''],
  ])('%s, from many networks, use little memory and lock nobody out', async (_, said) => {
    const calm = await hostile.during(async () => {
      const sockets = await openConnections(hostile.program.port, 2_000, said, (index) => loopbackAddress(index, 100));
      await until(() => (countOpen(sockets) <= maxConnections ? true : undefined));
      closeAll(sockets);
    });

    expect(calm.failures).toEqual([]);
    expect(calm.slowestRequestMs).toBeLessThan(calmMs);
    expect(calm.peakMemory).toBeLessThan(400 * mebibyte);
  });
});

it('a network has no more connections than its maximum', async () => {
  const sockets = await openConnections(
    hostile.program.port,
    400,
    () => '',
    () => '127.9.9.9',
  );
  await until(() => (countOpen(sockets) <= maxPerNetwork ? true : undefined));
  expect(countOpen(sockets)).toBe(maxPerNetwork);
  // The newest connections have replaced the oldest.
  expect(sockets.at(-1)?.destroyed).toBe(false);
  closeAll(sockets);
});

it('a large body is not read without an API key', async () => {
  const response = await rawRequest(hostile.program.port, unfinished(100_000));

  expect(response.status).toBe(401);
});

it('a thousand requests at once end the connection', async () => {
  const requests = `GET /emails HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${hostile.attackerKey}\r\n\r\n`.repeat(
    1_000,
  );
  const [socket] = await openConnections(hostile.program.port, 1, () => requests);
  const calm = await hostile.during(() => responseOf(socket as never));

  // Only a few get a response, in order, until the connection is ended.
  const answered = calm.result.match(/HTTP\/1\.1 \d{3}/g) ?? [];
  expect(answered.length).toBeLessThanOrEqual(32);
  expect(socket?.destroyed).toBe(true);
  expect(calm.failures).toEqual([]);
  expect(calm.slowestRequestMs).toBeLessThan(calmMs);
});

it('a head that does not end gets 408, and so does a body', async () => {
  const sockets = await openConnections(hostile.program.port, 2, (index) =>
    index === 0 ? 'GET /emails HTTP/1.1\r\nHost: a\r\nX-A: ' : unfinished(1_000),
  );
  const responses = await Promise.all(sockets.map((socket) => responseOf(socket)));

  for (const response of responses) {
    expect(response).toContain('HTTP/1.1 408');
    expect(response).toContain('"name":"request_timeout"');
  }
});
