import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { hostileMessages, submitMessage } from '../../support/clients/hostile-mail.js';
import { calmMs } from '../../support/clients/bystanders.js';
import { HostileProgram, startHostileProgram } from '../../support/programs/hostile-program.js';
import { SmtpDialogue } from '../../support/clients/smtp-dialogue.js';

const messages = hostileMessages('Attacker <someone@attacker.test>');
const readsOfEach = 2;

let hostile: HostileProgram;

beforeAll(async () => {
  hostile = await startHostileProgram({ SMTP_LISTEN: '127.0.0.1:0+tls,127.0.0.1:0+mx' });
});

afterAll(() => hostile.stop());

it('a message of 30,000 parts, 10,000 levels or a header without end is read quickly or refused', async () => {
  const calm = await hostile.during(async () => {
    const client = await SmtpDialogue.loggedIn(hostile.program.smtpPorts[0] as number, hostile.attackerKey);
    const statuses: [name: string, status: number][] = [];
    for (const [name, message] of Object.entries(messages)) {
      const { id, reply } = await submitMessage(client, 'someone@attacker.test', message);
      // A message that is refused gets a permanent reply.
      if (id === undefined) expect([name, reply]).toEqual([name, expect.stringMatching(/^5\d\d 5\./)]);
      else statuses.push(...(await readAll(name, id)));
    }
    client.drop();
    return statuses;
  });
  const { result, failures, slowestRequestMs, slowestDeliveryMs } = calm;
  expect(result.filter(([, status]) => status !== 200)).toEqual([]);
  expect(result.map(([name]) => name)).toContain('parts');
  expect(failures).toEqual([]);
  expect(slowestRequestMs).toBeLessThan(calmMs);
  expect(slowestDeliveryMs).toBeLessThan(calmMs);
});

async function readAll(name: string, id: string): Promise<[string, number][]> {
  const paths = Array.from({ length: readsOfEach }, () => [`/emails/${id}`, `/emails/${id}/attachments`]).flat();
  return Promise.all(
    paths.map(async (path): Promise<[string, number]> => {
      const response = await hostile.request(path);
      await response.arrayBuffer();
      return [name, response.status];
    }),
  );
}

it('the same messages as reports without a login delay nobody', async () => {
  const { result, failures, slowestRequestMs, slowestDeliveryMs } = await hostile.during(async () => {
    const replies: string[] = [];
    for (const message of Object.values(messages)) {
      const client = await SmtpDialogue.open(hostile.program.smtpPorts[1] as number);
      await client.ask('EHLO mx.stranger.test');
      await client.ask('MAIL FROM:<>');
      expect(await client.ask('RCPT TO:<fbl@mail.service.test>')).toMatch(/^250/);
      await client.ask('DATA');
      client.send(`${message.replace(/^\./gm, '..')}\r\n.\r\n`);
      replies.push(await client.reply());
      client.drop();
    }
    return replies;
  });
  for (const reply of result) expect(reply).toMatch(/^250 /);
  expect(failures).toEqual([]);
  expect(slowestRequestMs).toBeLessThan(calmMs);
  expect(slowestDeliveryMs).toBeLessThan(calmMs);
});
