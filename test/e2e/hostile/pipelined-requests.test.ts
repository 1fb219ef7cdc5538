import { connect, Socket } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { calmMs } from '../../support/clients/bystanders.js';
import { HostileProgram, startHostileProgram } from '../../support/programs/hostile-program.js';
import { until } from '../../support/runner/until.js';

const megabyte = 1024 * 1024;

let hostile: HostileProgram;
let id: string;

const email = (bytes: number): string =>
  JSON.stringify({
    from: hostile.attackerSender,
    to: 'a@nowhere.test',
    subject: 'Large',
    html: 'Hello '.repeat(bytes / 6),
  });

beforeAll(async () => {
  hostile = await startHostileProgram();
  const sent = await hostile.request('/emails', { method: 'POST', body: email(20 * megabyte) });
  ({ id } = (await sent.json()) as { id: string });
});

afterAll(() => hostile.stop());

const head = (line: string, length = 0): string =>
  `${line} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${hostile.attackerKey}\r\nContent-Length: ${length}\r\n\r\n`;

/** Sends all requests at once, reads the beginning of the first response and nothing more, and resets the connection. */
async function pipelineAndReset(requests: string): Promise<void> {
  const socket: Socket = connect(hostile.program.port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(requests);
  await new Promise((resolve) => socket.once('readable', resolve));
  await until(() => socket.writableLength === 0);
  socket.resetAndDestroy();
}

it('responses that wait behind another one free their memory once their client is gone', async () => {
  const calm = await hostile.during(async () => {
    for (let n = 0; n < 4; n++) await pipelineAndReset(head(`GET /emails/${id}`).repeat(12));
  });
  const again = await hostile.request(`/emails/${id}`);

  expect(again.status).toBe(200);
  expect((await again.text()).length).toBeGreaterThan(19 * megabyte);
  expect(calm.failures).toEqual([]);
  expect(calm.slowestRequestMs).toBeLessThan(calmMs);
  expect(calm.slowestDeliveryMs).toBeLessThan(calmMs);
});

it('bodies of requests that wait behind another one free their memory once their client is gone', async () => {
  const body = email(6 * megabyte);
  const posted = head('POST /emails', body.length) + body;
  const calm = await hostile.during(async () => {
    for (let n = 0; n < 10; n++) await pipelineAndReset(head(`GET /emails/${id}`) + posted.repeat(4));
  });
  const again = await hostile.request('/emails', { method: 'POST', body: email(20 * megabyte) });

  expect(await again.json()).toMatchObject({ id: expect.any(String) });
  expect(calm.failures).toEqual([]);
  expect(calm.slowestRequestMs).toBeLessThan(calmMs);
  expect(calm.slowestDeliveryMs).toBeLessThan(calmMs);
});
