import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { Stalls } from '../../support/clients/bystanders.js';
import { calmMs } from '../../support/clients/bystanders.js';
import { HostileProgram, startHostileProgram } from '../../support/programs/hostile-program.js';
import { testApiKey } from '../../support/programs/program.js';
import { SmtpDialogue } from '../../support/clients/smtp-dialogue.js';
import { stretched } from '../../support/runner/stretched.js';

const mb = 1024 * 1024;
const connections = 200;
const attackMs = 5_000;
const pieceBytes = 128 * 1024;
/** What each message sends: a header that has no end, or a part of a large body. */
const header = Buffer.alloc(250 * 1024, `X-Filler: ${'x'.repeat(60)}\r\n`);
const body = Buffer.concat([
  Buffer.from('From: someone@attacker.test\r\nTo: b@good.test\r\nSubject: x\r\n\r\n'),
  Buffer.alloc(39 * mb, `${'x'.repeat(76)}\r\n`),
]);

let hostile: HostileProgram;
const stalls = new Stalls();
beforeAll(async () => {
  hostile = await startHostileProgram({ SMTP_LISTEN: '127.0.0.1:0+tls' });
});
afterAll(async () => {
  stalls.stop();
  await hostile.stop();
});

const port = (): number => hostile.program.smtpPorts[0] ?? 0;

async function atData(_: unknown, index: number): Promise<SmtpDialogue> {
  const client = await SmtpDialogue.loggedIn(port(), hostile.attackerKey, `127.0.0.${10 + Math.floor(index / 80)}`);
  await client.ask('MAIL FROM:<someone@attacker.test>');
  await client.ask('RCPT TO:<b@good.test>');
  expect(await client.ask('DATA')).toMatch(/^354/);
  return client;
}

/** Sends what the program reads until the time `until`, never the whole message. Returns the number of bytes. */
async function pump(client: SmtpDialogue, content: Buffer, until: number): Promise<number> {
  let sent = 0;
  while (performance.now() < until) {
    if (client.buffered === 0 && sent < content.length) {
      client.send(content.subarray(sent, sent + pieceBytes));
      sent += pieceBytes;
    }
    await delay(20);
  }
  return Math.min(sent, content.length);
}

async function submit(apiKey: string, from: string): Promise<void> {
  const client = await SmtpDialogue.loggedIn(port(), apiKey, '127.0.1.1');
  const content = `From: ${from}\r\nTo: b@good.test\r\nSubject: x\r\n\r\nHello\r\n`;
  expect(await client.submit(from, 'b@good.test', content)).toMatch(/^250/);
  client.drop();
}

it.each([
  ['headers of 250 KB', header],
  ['messages of 39 MB', body],
])('200 unfinished %s of one team use little memory', async (_, content) => {
  const calm = await hostile.during(async () => {
    const clients = await Promise.all(Array.from({ length: connections }, atData));
    const until = performance.now() + attackMs;
    const sending = Promise.all(clients.map((client) => pump(client, content, until)));
    const times: number[] = [];
    while (performance.now() < until) {
      times.push(await stalls.measure(() => submit(testApiKey, 'a@sandbox.postrider.test')));
      await delay(200);
    }
    const sent = await sending;
    for (const client of clients) client.drop();
    expect(sent.reduce((sum, bytes) => sum + bytes, 0)).toBeGreaterThan(20 * mb);
    return times;
  });

  expect(Math.max(...calm.result)).toBeLessThan(calmMs);
  expect(calm.failures).toEqual([]);
  expect(calm.slowestRequestMs).toBeLessThan(calmMs);
  expect(calm.slowestDeliveryMs).toBeLessThan(calmMs);
  expect(calm.peakMemory).toBeLessThan(600 * mb);
  // The team has its share back after its connections have ended.
  expect(await stalls.measure(() => submit(hostile.attackerKey, 'someone@attacker.test'))).toBeLessThan(
    stretched(2_000),
  );
});
