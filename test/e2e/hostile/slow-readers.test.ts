import { connect, Socket } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { calmMs } from '../../support/bystanders.js';
import { HostileProgram, startHostileProgram } from '../../support/hostile-program.js';

const megabyte = 1024 * 1024;
const readers = 50;
const maxGrowth = 400 * megabyte;
/** Two windows of the program's clock for answers, and the time to notice. */
const maxHeldMs = 22_000;

let hostile: HostileProgram;
let id: string;

beforeAll(async () => {
  hostile = await startHostileProgram();
  const html = 'Hello '.repeat((39 * megabyte) / 6);
  const body = JSON.stringify({ from: hostile.attackerSender, to: 'a@nowhere.test', subject: 'Large', html });
  ({ id } = (await (await hostile.request('/emails', { method: 'POST', body })).json()) as { id: string });
});

afterAll(() => hostile.stop());

/** Asks for the email, reads one byte a second of the answer, and resolves when the program has ended the connection. */
function crawl(): Promise<'ended' | 'held'> {
  const socket: Socket = connect(hostile.program.port, '127.0.0.1');
  socket.write(`GET /emails/${id} HTTP/1.1\r\nHost: a.test\r\nAuthorization: Bearer ${hostile.attackerKey}\r\n\r\n`);
  return new Promise((resolve) => {
    const sip = setInterval(() => socket.read(1), 1_000);
    const finish = (how: 'ended' | 'held') => (): void => {
      clearInterval(sip);
      clearTimeout(patience);
      clearTimeout(last);
      socket.destroy();
      resolve(how);
    };
    // A socket that hardly reads learns of a reset only when it writes.
    let last: NodeJS.Timeout | undefined;
    const patience = setTimeout(() => {
      socket.write('x');
      last = setTimeout(finish('held'), 1_000);
    }, maxHeldMs);
    socket.on('error', finish('ended'));
    socket.on('close', finish('ended'));
  });
}

it('fifty clients that hardly read a large answer hold little of it, and lose their connections', async () => {
  const idle = (await hostile.during(async () => undefined)).peakMemory;
  const calm = await hostile.during(() => Promise.all(Array.from({ length: readers }, crawl)));
  expect(calm.result.filter((how) => how === 'held')).toEqual([]);
  expect(calm.failures).toEqual([]);
  expect(calm.slowestRequestMs).toBeLessThan(calmMs);
  expect(calm.slowestDeliveryMs).toBeLessThan(calmMs);
  expect(calm.peakMemory - idle).toBeLessThan(maxGrowth);
});
