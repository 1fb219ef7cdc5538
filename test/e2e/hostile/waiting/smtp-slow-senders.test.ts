import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { Stalls } from '../../../support/clients/bystanders.js';
import { calmMs } from '../../../support/clients/bystanders.js';
import { HostileProgram, startHostileProgram } from '../../../support/programs/hostile-program.js';
import { testApiKey } from '../../../support/programs/program.js';
import { SmtpDialogue } from '../../../support/clients/smtp-dialogue.js';
import { stretched } from '../../../support/runner/stretched.js';

const attackMs = 8_000;
const visitors = 300;
const customers = 90;
const pauseMs = 250;

let hostile: HostileProgram;
const stalls = new Stalls();
beforeAll(async () => {
  hostile = await startHostileProgram({ SMTP_LISTEN: '127.0.0.1:0+mx,127.0.0.1:0+tls' });
});
afterAll(async () => {
  stalls.stop();
  await hostile.stop();
});

const report = 'Subject: x\r\n\r\nHello\r\n';

async function visitor(localAddress: string): Promise<SmtpDialogue> {
  const client = await SmtpDialogue.open(hostile.program.smtpPorts[0] ?? 0, localAddress);
  await client.ask('EHLO stranger.test');
  return client;
}

/** A client in the middle of its content, or waiting for the reply to DATA. */
async function slowVisitor(_: unknown, index: number): Promise<SmtpDialogue> {
  const client = await visitor(`127.0.0.${10 + Math.floor(index / 80)}`);
  await client.ask('MAIL FROM:<>');
  await client.ask('RCPT TO:<fbl@mail.service.test>');
  client.send('DATA\r\n');
  return client;
}

async function slowCustomer(): Promise<SmtpDialogue> {
  const client = await SmtpDialogue.loggedIn(hostile.program.smtpPorts[1] ?? 0, hostile.attackerKey, '127.0.0.20');
  await client.ask('MAIL FROM:<someone@attacker.test>');
  await client.ask('RCPT TO:<b@good.test>');
  await client.ask('DATA');
  return client;
}

async function bringReport(): Promise<void> {
  const client = await visitor('127.0.1.1');
  expect(await client.submit('', 'fbl@mail.service.test', report)).toMatch(/^250/);
  client.drop();
}

async function submit(): Promise<void> {
  const client = await SmtpDialogue.loggedIn(hostile.program.smtpPorts[1] ?? 0, testApiKey, '127.0.1.2');
  const content = `From: a@sandbox.postrider.test\r\nTo: b@good.test\r\n${report}`;
  expect(await client.submit('a@sandbox.postrider.test', 'b@good.test', content)).toMatch(/^250/);
  client.drop();
}

it('senders of a few bytes a second delay neither reports nor customers', async () => {
  const calm = await hostile.during(async () => {
    const slow = await Promise.all([
      ...Array.from({ length: visitors }, slowVisitor),
      ...Array.from({ length: customers }, slowCustomer),
    ]);
    const until = performance.now() + attackMs;
    const times: number[] = [];
    while (performance.now() < until) {
      for (const client of slow) if (/^354/m.test(client.unread) || client.unread === '') client.send('x');
      times.push(await stalls.measure(bringReport), await stalls.measure(submit));
      await delay(pauseMs);
    }
    const begun = slow.slice(0, visitors).filter((client) => client.unread.includes('354')).length;
    for (const client of slow) client.drop();
    return { times, begun };
  });

  // The others of their network may send only after these have ended.
  expect(calm.result.begun).toBeGreaterThan(100);
  expect(calm.result.begun).toBeLessThan(visitors);
  expect(Math.max(...calm.result.times)).toBeLessThan(stretched(1_000));
  expect(calm.failures).toEqual([]);
  expect(calm.slowestRequestMs).toBeLessThan(calmMs);
  expect(calm.slowestDeliveryMs).toBeLessThan(calmMs);
});
