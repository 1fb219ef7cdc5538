import { connect, Socket } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { calmMs } from '../../../support/clients/bystanders.js';
import { HostileProgram, startHostileProgram } from '../../../support/programs/hostile-program.js';

const megabyte = 1024 * 1024;
const readers = 50;
const maxGrowth = 400 * megabyte;
/** Three windows of the program's check for slow readers, and a margin. The first one fills the system's buffers. */
const crawlMs = 22_000;

type Fate = 'refused' | 'ended' | 'held';

let hostile: HostileProgram;
let id: string;

beforeAll(async () => {
  hostile = await startHostileProgram();
  const html = 'Hello '.repeat((39 * megabyte) / 6);
  const body = JSON.stringify({ from: hostile.attackerSender, to: 'a@nowhere.test', subject: 'Large', html });
  ({ id } = (await (await hostile.request('/emails', { method: 'POST', body })).json()) as { id: string });
});

afterAll(() => hostile.stop());

/**
 * Requests the email and reads one byte a second of the response, once that has begun. Then reads the rest: a response
 * that was ended meanwhile is incomplete.
 */
function crawl(): Promise<Fate> {
  const socket: Socket = connect(hostile.program.port, '127.0.0.1');
  socket.write(`GET /emails/${id} HTTP/1.1\r\nHost: a.test\r\nAuthorization: Bearer ${hostile.attackerKey}\r\n\r\n`);
  return new Promise((resolve) => {
    let bytes = 0;
    const finish = (fate: Fate) => (): void => {
      socket.destroy();
      resolve(fate);
    };
    socket.once('readable', () => {
      if (/^HTTP\/1.1 (?:429|503)/.test(String(socket.read(12)))) return finish('refused')();
      const slowReads = setInterval(() => socket.read(1), 1_000);
      setTimeout(() => {
        clearInterval(slowReads);
        socket.on('data', (chunk: Buffer) => {
          bytes += chunk.length;
          if (bytes > 38 * megabyte) finish('held')();
        });
      }, crawlMs);
    });
    socket.on('error', finish('ended'));
    socket.on('close', finish('ended'));
  });
}

it('clients that read a large response very slowly use little memory, and lose their connections', async () => {
  const idle = (await hostile.during(async () => undefined)).peakMemory;
  const calm = await hostile.during(() => Promise.all(Array.from({ length: readers }, crawl)));
  expect(calm.result.filter((fate) => fate === 'held')).toEqual([]);
  expect(calm.result).toContain('ended');
  expect(calm.failures).toEqual([]);
  expect(calm.slowestRequestMs).toBeLessThan(calmMs);
  expect(calm.slowestDeliveryMs).toBeLessThan(calmMs);
  expect(calm.peakMemory - idle).toBeLessThan(maxGrowth);
});
