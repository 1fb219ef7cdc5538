import { get } from 'node:http';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { submitMessage } from '../../support/clients/hostile-mail.js';
import { calmMs } from '../../support/clients/bystanders.js';
import { HostileProgram, startHostileProgram } from '../../support/programs/hostile-program.js';
import { Calm } from '../../support/clients/bystanders.js';
import { SmtpDialogue } from '../../support/clients/smtp-dialogue.js';

const megabyte = 1024 * 1024;
const largeBytes = 39 * megabyte;
const readers = 20;
const maxGrowth = 500 * megabyte;
const line = `<p>${'Hello '.repeat(11)}</p>\r\n`;
const html = line.repeat(largeBytes / line.length);

let hostile: HostileProgram;
let idleMemory: number;

beforeAll(async () => {
  hostile = await startHostileProgram({ SMTP_LISTEN: '127.0.0.1:0+tls' });
  idleMemory = (await hostile.during(async () => undefined)).peakMemory;
});

afterAll(() => hostile.stop());

interface ReadResult {
  readonly status: number;
  readonly bytes: number;
}

/** Reads the complete response and keeps nothing, since this process is not measured. */
function read(path: string): Promise<ReadResult> {
  const headers = { authorization: `Bearer ${hostile.attackerKey}` };
  return new Promise((resolve, reject) => {
    const outgoing = get(`${hostile.program.url}${path}`, { headers, agent: false }, (response) => {
      let bytes = 0;
      response.on('data', (chunk: Buffer) => (bytes += chunk.length));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, bytes }));
      response.on('error', reject);
    });
    outgoing.on('error', reject);
  });
}

function expectCalm({ result, failures, slowestRequestMs, slowestDeliveryMs, peakMemory }: Calm<ReadResult[]>): void {
  for (const { status, bytes } of result) {
    // 429: the team has used its turns.
    expect([200, 429, 503]).toContain(status);
    if (status === 200) expect(bytes).toBeGreaterThan(38 * megabyte);
  }
  expect(result.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
  expect(failures).toEqual([]);
  expect(slowestRequestMs).toBeLessThan(calmMs);
  expect(slowestDeliveryMs).toBeLessThan(calmMs);
  expect(peakMemory - idleMemory).toBeLessThan(maxGrowth);
}

async function readersOf(path: string, count = readers): Promise<Calm<ReadResult[]>> {
  return hostile.during(() => Promise.all(Array.from({ length: count }, () => read(path))));
}

it('twenty readers of one message of 39 MB that came over SMTP take turns', async () => {
  const client = await SmtpDialogue.loggedIn(hostile.program.smtpPorts[0] as number, hostile.attackerKey);
  const fields = 'From: someone@attacker.test\r\nSubject: Large\r\nContent-Type: text/html\r\n\r\n';
  const { id, reply } = await submitMessage(client, 'someone@attacker.test', fields + html);
  client.drop();
  if (id === undefined) throw new Error(reply);
  expectCalm(await readersOf(`/emails/${id}`));
}, 240_000);

it('twenty readers of one email of 39 MB, and of its page, get it piece by piece', async () => {
  const body = JSON.stringify({ from: hostile.attackerSender, to: 'a@nowhere.test', subject: 'Large', html });
  const { id } = (await (await hostile.request('/emails', { method: 'POST', body })).json()) as { id: string };
  const shared = await hostile.request(`/emails/${id}/share`, { method: 'POST', body: '{}' });
  const { url } = (await shared.json()) as { url: string };
  expectCalm(await readersOf(`/emails/${id}`));
  expectCalm(await readersOf(url.slice(url.indexOf('/shared/')), 3));
}, 240_000);
