import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { calmMs } from '../../support/clients/bystanders.js';
import { HostileProgram, startHostileProgram } from '../../support/programs/hostile-program.js';
import { ScriptedSmtpServer, silence, stopReading } from '../../support/servers/scripted-smtp-server.js';
import type { Script } from '../../support/servers/scripted-smtp-server.js';
import { until } from '../../support/runner/until.js';

const megabyte = 1024 * 1024;

let hostile: HostileProgram;
const hosts: ScriptedSmtpServer[] = [];

beforeAll(async () => {
  hostile = await startHostileProgram();
});

afterAll(async () => {
  await Promise.all(hosts.map((host) => host.close()));
  await hostile.stop();
});

/** A mail host of a new domain that follows the script. */
async function hostOf(domain: string, script: Script): Promise<ScriptedSmtpServer> {
  const address = `127.0.0.${10 + hosts.length}`;
  const host = await ScriptedSmtpServer.listen(script, { host: address, port: hostile.mxPort });
  hosts.push(host);
  hostile.dns.mx(domain, [10, `mx.${domain}`]).a(`mx.${domain}`, address);
  return host;
}

/** Sends large mail to a host that follows the script, and lets another customer send for a while. */
async function attack(script: Script, count: number, bytes: number) {
  const domain = `slow${hosts.length}.test`;
  const host = await hostOf(domain, script);
  const body = Buffer.from(JSON.stringify(largeEmail(`someone@${domain}`, bytes)));
  for (let sent = 0; sent < count; sent++) {
    const response = await hostile.request('/emails', { method: 'POST', body });
    expect(response.status).toBe(200);
  }
  await until(() => host.connectionCount > 0);
  return hostile.during(() => new Promise((resolve) => setTimeout(resolve, 5_000)));
}

function largeEmail(to: string, bytes: number) {
  const content = Buffer.alloc((bytes * 3) / 4, 7).toString('base64');
  const attachments = [{ filename: 'large.bin', content }];
  return { from: hostile.attackerSender, to, subject: 'Large', text: 'Hi', attachments };
}

it.each<[string, Script, number, number]>([
  ['three mails of 38 MB to a host that does not greet', { banner: silence }, 3, 38 * megabyte],
  ['three mails of 38 MB to a host that stops reading', { data: stopReading('354 Go ahead') }, 3, 38 * megabyte],
  ['240 mails of 600 KB to a host that does not greet', { banner: silence }, 240, 600 * 1024],
  ['240 mails of 600 KB to a host that stops reading', { data: stopReading('354 Go ahead') }, 240, 600 * 1024],
])('%s do not delay other mail', async (_, script, count, bytes) => {
  const calm = await attack(script, count, bytes);

  expect(calm.failures).toEqual([]);
  expect(calm.slowestRequestMs).toBeLessThan(calmMs);
  expect(calm.slowestDeliveryMs).toBeLessThan(calmMs);
  expect(calm.peakMemory).toBeLessThan(700 * megabyte);
});
