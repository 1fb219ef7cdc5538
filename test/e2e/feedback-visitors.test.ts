import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Database } from '#postgres/database';
import { SecretBox } from '#platform/secrets';
import { SignedReturnPaths } from '../../libs/delivery/src/infrastructure/return-path/signed-return-paths.js';
import { SmtpDialogue } from '../support/clients/smtp-dialogue.js';
import { until } from '../support/runner/until.js';
import { program, sample, startFeedback, stopFeedback, forged } from '../support/builders/feedback-reports.js';

beforeAll(startFeedback);
afterAll(stopFeedback);

describe('whoever brings mail without a login', () => {
  it('is refused at RCPT for every address that is not a return path of ours', async () => {
    const { id, returnPath } = await program.delivered('safe@example.test');
    const foreign = new SignedReturnPaths(new SecretBox('cd'.repeat(32))).of(
      { emailId: id, recipientNo: 0 },
      'send.acme.test',
    );
    const client = await SmtpDialogue.open(program.port);
    expect(await client.ask('EHLO mx.example.test')).not.toMatch(/AUTH/);
    expect(await client.ask('MAIL FROM:<>')).toMatch(/^250/);
    for (const address of [
      'somebody@elsewhere.test',
      'hello@sandbox.postrider.test',
      'postmaster@mail.service.test',
      'fbl@elsewhere.test',
      'bounces@send.acme.test',
      'bounces+short@send.acme.test',
      forged(returnPath),
      foreign,
    ]) {
      expect(await client.ask(`RCPT TO:<${address}>`)).toMatch(/^550 5\.7\.1/);
    }
    expect(await client.ask('DATA')).toMatch(/^503/);
    expect(await client.ask(`RCPT TO:<${returnPath.toUpperCase()}>`)).toMatch(/^250/);
    client.drop();
    expect(await program.lastEvent(id)).toBe('delivered');
  });

  it('gets no mail sent: nothing ever leaves for what came in', async () => {
    const { returnPath } = await program.delivered('quiet@example.test');
    const before = program.transport.delivered.length;
    await program.bring(sample('postfix-user-unknown'), [returnPath], 'victim@elsewhere.test');
    await program.bring(sample('reply-of-a-human'), [returnPath], 'victim@elsewhere.test');
    expect(program.transport.delivered.length).toBe(before);
    const queued = await program.app.get(Database).query({ text: 'SELECT 1 FROM outbound_queue' });
    expect(queued).toEqual([]);
  });

  it('must still log in to send, and on the other ports to do anything', async () => {
    const client = await SmtpDialogue.open(program.submissionPort);
    await client.ask('EHLO mx.example.test');
    expect(await client.ask('MAIL FROM:<>')).toMatch(/^530 5\.7\.0/);
    client.drop();
  });

  it('is cut off after many wrong addresses', async () => {
    const client = await SmtpDialogue.open(program.port);
    await client.ask('EHLO mx.example.test');
    await client.ask('MAIL FROM:<>');
    for (let count = 0; count < 20; count++) client.send(`RCPT TO:<guess${count}@elsewhere.test>\r\n`);
    await client.ended();
    expect(await until(() => client.unread.includes('421 4.7.0'))).toBe(true);
  });

  it('may log in on the same port and send', async () => {
    const client = await SmtpDialogue.open(program.port);
    await client.ask('EHLO client.test');
    await client.startTls();
    await client.ask('EHLO client.test');
    expect(await client.logIn(program.apiKey)).toMatch(/^235/);
    expect(await client.ask('MAIL FROM:<hello@sandbox.postrider.test>')).toMatch(/^250/);
    expect(await client.ask('RCPT TO:<customer@example.test>')).toMatch(/^250/);
    client.drop();
  });
});

it('a process that only listens takes reports as well', async () => {
  const { id, returnPath } = await program.delivered('apart@example.test');
  const listener = await program.listenApart();
  try {
    const report = sample('postfix-user-unknown').replaceAll('jane@', 'apart@');
    expect(await program.bring(report, [returnPath], '', listener.port)).toMatch(/^250/);
    expect(await program.lastEvent(id)).toBe('bounced');
    expect((await program.resend.suppressions.get('apart@example.test')).data?.source_id).toBe(id);
  } finally {
    await listener.stop();
  }
});
