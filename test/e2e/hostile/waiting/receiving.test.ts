import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { calmMs, Stalls } from '../../../support/clients/bystanders.js';
import { HostileProgram, startHostileProgram } from '../../../support/programs/hostile-program.js';
import { testApiKey } from '../../../support/programs/program.js';
import { loopbackAddress } from '../../../support/clients/raw-connections.js';
import { SmtpDialogue } from '../../../support/clients/smtp-dialogue.js';

const slowSenders = 500;
/** They connect in groups: one after the other, most of the test would be waiting. */
const atOnce = 50;
const attackMs = 8_000;
const to = 'support@sandbox.postrider.test';
const message = 'From: a@customer.test\r\nSubject: x\r\n\r\nHello\r\n';

let hostile: HostileProgram;
const stalls = new Stalls();

beforeAll(async () => {
  hostile = await startHostileProgram({ SMTP_LISTEN: '127.0.0.1:0+mx', INBOUND_MESSAGES_PER_MINUTE: '100000' });
  const headers = { authorization: `Bearer ${testApiKey}` };
  const domains = (await (await hostile.request('/domains', { headers })).json()) as { data: [{ id: string }] };
  const body = JSON.stringify({ capabilities: { receiving: 'enabled' } });
  const changed = await hostile.request(`/domains/${domains.data[0].id}`, { method: 'PATCH', headers, body });
  expect(changed.status).toBe(200);
});
afterAll(async () => {
  stalls.stop();
  await hostile.stop();
});

async function visitor(localAddress?: string): Promise<SmtpDialogue> {
  const client = await SmtpDialogue.open(hostile.program.smtpPorts[0] ?? 0, localAddress);
  await client.ask('EHLO stranger.test');
  return client;
}

let brought = 0;

/** An ordinary server brings mail, as long as the attack lasts. Resolves to the slowest time. */
async function bringMail(isOver: () => boolean): Promise<number> {
  let slowest = 0;
  while (!isOver()) {
    const tookMs = await stalls.measure(async () => {
      const client = await visitor('127.200.1.1');
      expect(await client.submit('a@customer.test', to, `${message}${brought++}\r\n`)).toMatch(/^250/);
      client.drop();
    });
    slowest = Math.max(slowest, tookMs);
    await delay(100);
  }
  return slowest;
}

async function during(attack: () => Promise<void>): Promise<number> {
  let isOver = false;
  const slowest = bringMail(() => isOver);
  try {
    await attack();
  } finally {
    isOver = true;
  }
  return slowest;
}

it('500 slow senders delay nobody', async () => {
  const clients: SmtpDialogue[] = [];
  const open = async (index: number): Promise<void> => {
    const client = await visitor(loopbackAddress(index, 25));
    clients.push(client);
    client.send(`MAIL FROM:<a@b.test>\r\nRCPT TO:<${to}>\r\nDATA\r\n`);
  };
  for (let index = 0; index < slowSenders; index += atOnce) {
    await Promise.all(Array.from({ length: atOnce }, (_, offset) => open(index + offset)));
  }
  const slowest = await during(async () => {
    for (const end = performance.now() + attackMs; performance.now() < end; await delay(250)) {
      for (const client of clients) client.send('a');
    }
  });
  for (const client of clients) client.drop();
  expect(slowest).toBeLessThan(2 * calmMs);
});

it('recipients, fields and lines without end are answered as RFC 5321 says', async () => {
  const slowest = await during(async () => {
    const recipients = await visitor();
    await recipients.ask('MAIL FROM:<a@b.test>');
    recipients.send(
      Array.from({ length: 10_000 }, (_, index) => `RCPT TO:<r${index}@sandbox.postrider.test>\r\n`).join(''),
    );
    const replies: string[] = [];
    while (replies.at(-1)?.startsWith('421') !== true) replies.push(await recipients.reply());
    expect(replies.filter((reply) => reply.startsWith('250'))).toHaveLength(100);
    expect(replies.filter((reply) => reply.startsWith('452')).length).toBeGreaterThan(100);

    const fields = await visitor();
    expect(await fields.submit('a@b.test', to, `${'X: y\r\n'.repeat(200_000)}\r\n`)).toMatch(/^552/);
    expect(await fields.submit('a@b.test', to, `X: ${'y'.repeat(2_000_000)}\r\n\r\n`)).toMatch(/^552/);
    expect(await fields.submit('a@b.test', to, message)).toMatch(/^250/);
    fields.drop();

    const line = await visitor();
    line.send('MAIL FROM:<'.padEnd(3_000_000, 'a'));
    await line.ended().catch(() => undefined);
    expect(line.unread).toMatch(/^(?:421|50[0-9])/);

    const endless = await visitor();
    for (const command of ['MAIL FROM:<a@b.test>', `RCPT TO:<${to}>`, 'DATA']) await endless.ask(command);
    const chunk = `${'a'.repeat(998)}\r\n`.repeat(1_000);
    for (let megabytes = 0; megabytes < 120 && !endless.unread.includes('421'); megabytes++) {
      endless.send(megabytes === 0 ? `Subject: x\r\n\r\n${chunk}` : chunk);
      while (endless.buffered > 4_000_000) await delay(20);
    }
    await endless.ended();
    expect(endless.unread).toMatch(/^421 5\.3\.4/);
  });
  expect(slowest).toBeLessThan(2 * calmMs);
});

it('logins that are pipelined, and content that hides a second message, change nothing', async () => {
  const client = await visitor();
  client.send('AUTH PLAIN AGEAYg==\r\nMAIL FROM:<a@b.test>\r\nAUTH LOGIN\r\nRCPT TO:<someone@elsewhere.test>\r\n');
  expect(await client.reply()).toMatch(/^538/);
  expect(await client.reply()).toMatch(/^250/);
  expect(await client.reply()).toMatch(/^5/);
  expect(await client.reply()).toMatch(/^550 5\.7\.1/);
  client.drop();
  for (const end of ['\n.\r\n', '\r\n.\n', '\n.\n', '\r.\r', '\r\n.\r']) {
    const smuggler = await visitor();
    for (const command of ['MAIL FROM:<a@b.test>', `RCPT TO:<${to}>`, 'DATA']) await smuggler.ask(command);
    smuggler.send(`${message}${end}MAIL FROM:<b@b.test>\r\nRCPT TO:<${to}>\r\nDATA\r\nSubject: hidden\r\n\r\n.\r\n`);
    expect(await smuggler.reply()).toMatch(/^550 5\.6\.0/);
    smuggler.drop();
  }
  const rows = await hostile.query(`SELECT 1 FROM received_emails WHERE subject = 'hidden'`);
  expect(rows).toEqual([]);
});

it('thousands of signatures and hostile records of the DNS cost their sender, and nobody else', async () => {
  const signature = (index: number): string =>
    `DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=x${index}.test; s=s; h=from; l=${index}; bh=x; b=y\r\n`;
  hostile.dns.txt('loop.test', 'v=spf1 include:loop.test include:loop.test a mx ptr exists:%{i}.loop.test -all');
  const heavy = `${Array.from({ length: 2_000 }, (_, index) => signature(index)).join('')}From: a@loop.test\r\n\r\nx\r\n`;
  const some = `${Array.from({ length: 10 }, (_, index) => signature(index)).join('')}From: a@loop.test\r\n\r\n${'x y \r\n'.repeat(100_000)}`;
  const slowest = await during(async () => {
    await Promise.all(
      Array.from({ length: 10 }, async (_, index) => {
        const client = await visitor(`127.77.0.${index + 1}`);
        for (const content of [heavy, some, heavy]) {
          expect(await client.submit(`a${index}@loop.test`, to, content)).toMatch(/^(?:250|451)/);
        }
        client.drop();
      }),
    );
  });
  expect(slowest).toBeLessThan(2 * calmMs);
});
