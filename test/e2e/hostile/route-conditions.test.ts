import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { calmMs } from '../../support/clients/bystanders.js';
import { HostileProgram, startHostileProgram } from '../../support/programs/hostile-program.js';
import { SmtpDialogue } from '../../support/clients/smtp-dialogue.js';
import { until } from '../../support/runner/until.js';

const routes = 200;
const conditionsOfRoute = 10;
const recipients = 100;
const messages = 3;

/** The most expensive text to search in, and the most expensive one to search for. */
const field = `${'a'.repeat(900)}\r\n `.repeat(8);
const header = Array.from({ length: 30 }, () => `X-A: ${field}\r\n`).join('');
const value = (index: number): string => `b${'a'.repeat(490)}${index}`;

let hostile: HostileProgram;

async function api(path: string, method: string, body: object): Promise<{ readonly status: number; json(): unknown }> {
  return hostile.request(path, { method, body: JSON.stringify(body), headers: { 'content-type': 'application/json' } });
}

beforeAll(async () => {
  hostile = await startHostileProgram({ SMTP_LISTEN: '127.0.0.1:0+mx', INBOUND_MESSAGES_PER_MINUTE: '100000' });
  const [domain] = await hostile.query<{ id: string }>(`SELECT id FROM domains WHERE name = 'attacker.test'`);
  const enabled = await api(`/domains/${domain?.id}`, 'PATCH', { capabilities: { receiving: 'enabled' } });
  expect(enabled.status).toBe(200);
  for (let index = 0; index < routes; index++) {
    const conditions = Array.from({ length: conditionsOfRoute }, (_, at) => ({
      header: 'x-a',
      test: 'contains',
      not: true,
      value: value(index * conditionsOfRoute + at),
    }));
    const action = { type: 'webhook' };
    const made = await api('/routes', 'POST', { recipient: '*@attacker.test', action, conditions, continue: true });
    expect(made.status).toBe(201);
  }
}, 120_000);
afterAll(() => hostile.stop());

it('conditions, header bytes and recipients that multiply delay nobody else', async () => {
  const content = `From: a@customer.test\r\nSubject: Product\r\n${header}\r\nHello\r\n`;
  const { failures, slowestRequestMs } = await hostile.during(async () => {
    for (let count = 0; count < messages; count++) {
      const client = await SmtpDialogue.open(hostile.program.smtpPorts[0] ?? 0);
      for (const command of ['EHLO stranger.test', 'MAIL FROM:<a@customer.test>']) await client.ask(command);
      for (let to = 0; to < recipients; to++) await client.ask(`RCPT TO:<r${to}@attacker.test>`);
      await client.ask('DATA');
      client.send(`${content}.\r\n`);
      expect(await client.reply()).toMatch(/^250/);
      client.drop();
    }
    await until(async () => {
      const waiting = await hostile.query(`SELECT FROM received_work WHERE tries = 0 OR last_error IS NULL`);
      return waiting.length === 0;
    }, 60_000);
  });
  expect(failures).toEqual([]);
  expect(slowestRequestMs).toBeLessThan(calmMs);
}, 120_000);

it('neither do explanations of long headers', async () => {
  const body = { recipient: 'a@attacker.test', headers: { 'X-A': 'a'.repeat(60_000) } };
  const tooLong = { recipient: 'a@attacker.test', headers: { 'X-A': 'a'.repeat(70_000) } };
  const { failures, slowestRequestMs } = await hostile.during(async () => {
    const all = await Promise.all(Array.from({ length: 10 }, () => api('/routes/explain', 'POST', body)));
    for (const { status } of all) expect([200, 422, 429, 503]).toContain(status);
    expect((await api('/routes/explain', 'POST', tooLong)).status).toBe(422);
  });
  expect(failures).toEqual([]);
  expect(slowestRequestMs).toBeLessThan(calmMs);
}, 120_000);
