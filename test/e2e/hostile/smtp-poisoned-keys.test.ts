import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { calmMs } from '../../support/clients/bystanders.js';
import { HostileProgram, startHostileProgram } from '../../support/programs/hostile-program.js';
import { SmtpDialogue } from '../../support/clients/smtp-dialogue.js';

const connections = 8;
const attackMs = 4_000;
const poisoned: readonly string[] = [
  'Resend-Idempotency-Key: a\0b',
  'Resend-Idempotency-Key: a\u0001b',
  'X-Postrider-Tag: na\0me=value',
  'X-Postrider-Tag: name=va\0lue',
  'X-Postrider-Scheduled-At: 2030-01-01T00:00:00Z\0',
  'X-Postrider-Track: none\0',
];

let hostile: HostileProgram;
beforeAll(async () => {
  hostile = await startHostileProgram({ SMTP_LISTEN: '127.0.0.1:0+tls', LOG_LEVEL: 'error' });
});
afterAll(() => hostile.stop());

const open = (): Promise<SmtpDialogue> => SmtpDialogue.loggedIn(hostile.program.smtpPorts[0] ?? 0, hostile.attackerKey);

function submit(client: SmtpDialogue, field: string): Promise<string> {
  const content = `From: someone@attacker.test\r\nTo: b@good.test\r\nSubject: x\r\n${field}\r\n\r\nHello\r\n`;
  return client.submit('someone@attacker.test', 'b@good.test', content);
}

it.each(poisoned)('%j is refused with a reason', async (field) => {
  const client = await open();
  expect(await submit(client, field)).toMatch(/^550 5\.6\.0 /);
  expect(await submit(client, 'X-Other: 1')).toMatch(/^250/);
  client.drop();
});

it('keys that the database cannot store are refused without an error in the program, however many come', async () => {
  const attack = async (): Promise<string[]> => {
    const until = performance.now() + attackMs;
    const replies: string[] = [];
    await Promise.all(
      Array.from({ length: connections }, async () => {
        while (performance.now() < until) {
          const client = await open();
          for (let count = 0; count < 15 && performance.now() < until; count++) {
            replies.push(await submit(client, `Resend-Idempotency-Key: a\0${count}`));
          }
          client.drop();
        }
      }),
    );
    return replies;
  };
  const calm = await hostile.during(attack);

  expect(calm.result.length).toBeGreaterThan(connections);
  expect(calm.result.filter((reply) => !reply.startsWith('550 5.6.0 '))).toEqual([]);
  expect(calm.failures).toEqual([]);
  expect(calm.slowestRequestMs).toBeLessThan(calmMs);
  expect(calm.slowestDeliveryMs).toBeLessThan(calmMs);
  // None of them reached the database.
  expect(hostile.program.output()).not.toContain('a message failed');
});
