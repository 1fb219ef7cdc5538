import { afterEach, expect, it } from '@jest/globals';
import { calmMs } from '../../support/clients/bystanders.js';
import { HostileProgram, startHostileProgram } from '../../support/programs/hostile-program.js';
import { SilentHosts } from '../../support/servers/silent-hosts.js';
import { until } from '../../support/runner/until.js';

const megabyte = 1024 * 1024;
const batch = 100;

let hostile: HostileProgram;
let hosts: SilentHosts;

afterEach(async () => {
  await hosts.close();
  await hostile.stop();
});

async function sendToEach(domains: readonly string[]): Promise<void> {
  for (let from = 0; from < domains.length; from += batch) {
    const emails = domains.slice(from, from + batch).map((domain) => ({
      from: hostile.attackerSender,
      to: `someone@${domain}`,
      subject: 'Hello',
      text: 'Hi',
    }));
    const response = await hostile.request('/emails/batch', { method: 'POST', body: JSON.stringify(emails) });
    expect(response.status).toBe(200);
  }
}

it.each([
  ['2,000 domains with one host that does not greet', 2_000, 1],
  ['2,000 domains, each with its own host that does not greet', 2_000, 2_000],
])('mail to %s does not delay other mail', async (_, count, hostCount) => {
  hostile = await startHostileProgram();
  hosts = await SilentHosts.listen(hostCount, hostile.mxPort);
  const domains = hosts.domains(hostile.dns, count);

  const calm = await hostile.during(async () => {
    await sendToEach(domains);
    await until(() => hosts.connectionCount > 0);
    await new Promise((resolve) => setTimeout(resolve, 6_000));
  });

  expect(calm.failures).toEqual([]);
  expect(calm.slowestRequestMs).toBeLessThan(calmMs);
  expect(calm.slowestDeliveryMs).toBeLessThan(calmMs);
  expect(calm.peakMemory).toBeLessThan(500 * megabyte);
  // One attempt at a time to a host that has not replied, and no more than the maximum of the process.
  expect(hosts.maxConnections).toBeLessThanOrEqual(Math.min(hostCount, 1_500 + 2 * 16));
});
