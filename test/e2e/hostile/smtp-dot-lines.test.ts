import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { cpuSecondsOf } from '../../bench/process-cpu.js';
import { calmMs } from '../../support/clients/bystanders.js';
import { HostileProgram, startHostileProgram } from '../../support/programs/hostile-program.js';
import { SmtpDialogue } from '../../support/clients/smtp-dialogue.js';

const connections = 4;
const mb = 1024 * 1024;
const contents: readonly [name: string, content: Buffer][] = [
  ['lines that begin with a dot', Buffer.alloc(8 * mb, '..\r\n')],
  ['dots', Buffer.alloc(8 * mb, '.')],
  ['one line without end', Buffer.alloc(8 * mb, 'x')],
  ['a header without end', Buffer.alloc(8 * mb, 'Subject: a\r\n b\r\n')],
];

let hostile: HostileProgram;
beforeAll(async () => {
  hostile = await startHostileProgram({ SMTP_LISTEN: '127.0.0.1:0+mx' });
});
afterAll(() => hostile.stop());

async function bring(content: Buffer): Promise<string> {
  const client = await SmtpDialogue.open(hostile.program.smtpPorts[0] ?? 0);
  await client.ask('EHLO stranger.test');
  await client.ask('MAIL FROM:<>');
  expect(await client.ask('RCPT TO:<fbl@mail.service.test>')).toMatch(/^250/);
  expect(await client.ask('DATA')).toMatch(/^354/);
  client.send(content);
  client.send('\r\n.\r\n');
  const reply = await client.reply();
  client.drop();
  return reply;
}

it.each(contents)('32 MB of %s, without a login, delay nobody', async (_, content) => {
  const before = cpuSecondsOf(hostile.program.pid);
  const calm = await hostile.during(() => Promise.all(Array.from({ length: connections }, () => bring(content))));

  for (const reply of calm.result) expect(reply).toMatch(/^[25]\d\d /);
  expect(calm.failures).toEqual([]);
  expect(calm.slowestRequestMs).toBeLessThan(calmMs);
  expect(calm.slowestDeliveryMs).toBeLessThan(calmMs);
  // It took 5.3 s for 8 MB when each line was a turn of the event loop.
  expect(cpuSecondsOf(hostile.program.pid) - before).toBeLessThan(8);
});
