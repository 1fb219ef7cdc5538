import { afterEach, expect, it } from '@jest/globals';
import { calmMs } from '../../support/bystanders.js';
import { HostileProgram, startHostileProgram } from '../../support/hostile-program.js';
import { ScriptedSmtpServer, silence, stopReading } from '../../support/scripted-smtp-server.js';
import type { Script } from '../../support/scripted-smtp-server.js';
import { until } from '../../support/until.js';

const megabyte = 1024 * 1024;
const hostAddress = '127.0.0.9';

let hostile: HostileProgram;
let host: ScriptedSmtpServer;

afterEach(async () => {
  await host.close();
  await hostile.stop();
});

/** The host is given some time to do its worst with large mail, while the other customer goes on. */
async function attack(script: Script, count: number, bytes: number) {
  hostile = await startHostileProgram();
  host = await ScriptedSmtpServer.listen(script, { host: hostAddress, port: hostile.mxPort });
  hostile.dns.mx('slow.test', [10, 'mx.slow.test']).a('mx.slow.test', hostAddress);
  const body = Buffer.from(JSON.stringify(largeEmail(bytes)));
  for (let sent = 0; sent < count; sent++) {
    const response = await hostile.request('/emails', { method: 'POST', body });
    expect(response.status).toBe(200);
  }
  await until(() => host.connectionCount > 0);
  return hostile.during(() => new Promise((resolve) => setTimeout(resolve, 5_000)));
}

function largeEmail(bytes: number) {
  const content = Buffer.alloc((bytes * 3) / 4, 7).toString('base64');
  const attachments = [{ filename: 'large.bin', content }];
  return { from: hostile.attackerSender, to: 'someone@slow.test', subject: 'Large', text: 'Hi', attachments };
}

it.each<[string, Script, number, number]>([
  ['three mails of 38 MB to a host that does not greet', { banner: silence }, 3, 38 * megabyte],
  ['three mails of 38 MB to a host that stops reading', { data: stopReading('354 Go ahead') }, 3, 38 * megabyte],
  ['240 mails of 600 KB to a host that does not greet', { banner: silence }, 240, 600 * 1024],
  ['240 mails of 600 KB to a host that stops reading', { data: stopReading('354 Go ahead') }, 240, 600 * 1024],
])('%s delay nobody else', async (_, script, count, bytes) => {
  const calm = await attack(script, count, bytes);

  expect(calm.failures).toEqual([]);
  expect(calm.slowestRequestMs).toBeLessThan(calmMs);
  expect(calm.slowestDeliveryMs).toBeLessThan(calmMs);
  expect(calm.peakMemory).toBeLessThan(700 * megabyte);
});
