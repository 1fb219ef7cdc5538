import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ReturnPaths } from '#delivery';
import { newId } from '#kernel';
import { Database } from '#platform/database';
import { SecretBox } from '#platform/secrets';
import { SignedReturnPaths } from '../../libs/delivery/src/infrastructure/return-path/signed-return-paths.js';
import { gatherCorpus } from '../support/gather-corpus.js';
import { SmtpDialogue } from '../support/smtp-dialogue.js';
import { FeedbackProgram } from '../support/feedback-program.js';
import { until } from '../support/until.js';

let program: FeedbackProgram;
const corpus = new Map(gatherCorpus('feedback').map(({ name, raw }) => [name, raw.toString('latin1')]));
const sample = (name: string): string => corpus.get(name) as string;

beforeAll(async () => {
  program = await FeedbackProgram.start();
});

afterAll(() => program.stop());

describe('a report that comes back to the return path of a recipient', () => {
  it('changes delivered to bounced, adds an event, and suppresses the address that does not exist', async () => {
    const { id, returnPath } = await program.delivered('jane@example.test');

    expect(await program.bring(sample('postfix-user-unknown'), [returnPath])).toMatch(/^250 2\.6\.0/);

    expect(await program.lastEvent(id)).toBe('bounced');
    const said = '550 5.1.1 <jane@example.test>: Recipient address rejected: User unknown in local recipient table';
    expect(await program.events(id)).toEqual([
      { type: 'email.sent', recipient: 'jane@example.test', data: null },
      { type: 'email.delivered', recipient: 'jane@example.test', data: null },
      {
        type: 'email.bounced',
        recipient: 'jane@example.test',
        data: {
          bounce: { message: said, type: 'Permanent', subType: 'NoEmail', diagnosticCode: [`smtp; ${said}`] },
        },
      },
    ]);
    expect((await program.resend.suppressions.get('jane@example.test')).data).toMatchObject({
      origin: 'bounce',
      source_id: id,
    });
    const [recipient] = await program.trace(id);
    expect(recipient?.status).toBe('bounced');
    expect(recipient?.reports).toEqual([
      {
        ...{ kind: 'delivery', reporter: 'mx.example.test', action: 'failed', status: '5.1.1' },
        ...{ category: 'bad-address', diagnostic: said, effect: 'bounced' },
        received_at: expect.any(String),
      },
    ]);
    expect((await program.resend.emails.metrics({ emailId: [id] })).data?.totals).toMatchObject({
      delivered: 1,
      bounced: 1,
      bounced_permanent: 1,
    });
  });

  it('changes nothing when it comes again', async () => {
    const { id, returnPath } = await program.delivered('twice@example.test');
    const report = sample('google-over-quota').replaceAll('jane@', 'twice@');
    for (let time = 0; time < 3; time++) expect(await program.bring(report, [returnPath])).toMatch(/^250/);

    expect((await program.events(id)).map(({ type }) => type)).toEqual([
      'email.sent',
      'email.delivered',
      'email.bounced',
    ]);
    expect((await program.trace(id))[0]?.reports).toHaveLength(1);
    expect((await program.resend.suppressions.get('twice@example.test')).error?.name).toBe('not_found');
  });

  it('ends a recipient only once when several reports arrive at the same time', async () => {
    const { id, returnPath } = await program.delivered('rush@example.test');
    const replies = await Promise.all(
      ['postfix-user-unknown', 'exim-report', 'arf-fastmail', 'postfix-user-unknown', 'postfix-delayed'].map((name) =>
        program.bring(sample(name).replaceAll('jane@', 'rush@'), [returnPath]),
      ),
    );
    expect(replies.every((reply) => reply.startsWith('250'))).toBe(true);
    const types = (await program.events(id)).map(({ type }) => type);
    expect(types.filter((type) => type === 'email.bounced' || type === 'email.complained')).toHaveLength(1);
    expect((await program.trace(id))[0]?.reports).toHaveLength(4);
  });

  it('adds one event for a delay, and the recipient stays delivered', async () => {
    const { id, returnPath } = await program.delivered('late@example.test');
    await program.bring(sample('postfix-delayed').replaceAll('jane@', 'late@'), [returnPath]);
    await program.bring(sample('google-delay').replaceAll('jane@', 'late@'), [returnPath]);

    expect((await program.events(id)).map(({ type }) => type)).toEqual([
      'email.sent',
      'email.delivered',
      'email.delivery_delayed',
    ]);
    expect((await program.trace(id))[0]).toMatchObject({
      status: 'delivered',
      reports: [{ effect: 'delayed' }, { effect: 'none' }],
    });
    await program.bring(sample('expired').replaceAll('jane@', 'late@'), [returnPath]);
    expect(await program.lastEvent(id)).toBe('bounced');
  });

  it('changes only the recipient whose return path it is', async () => {
    const { id } = await program.delivered('one@example.test', 'two@example.test');
    const [, second] = await program.returnPaths(id);
    await program.bring(sample('notes-not-listed').replaceAll('jane@', 'two@'), [second as string]);

    const statuses = (await program.trace(id)).map(({ recipient, status }) => [recipient, status]);
    expect(statuses).toEqual([
      ['one@example.test', 'delivered'],
      ['two@example.test', 'bounced'],
    ]);
  });

  it('is a complaint if a person reported spam, and changes nothing if it is other feedback', async () => {
    const { id, returnPath } = await program.delivered('angry@example.test');
    for (const name of ['arf-not-spam', 'arf-auth-failure', 'arf-virus']) {
      expect(await program.bring(sample(name), [returnPath])).toMatch(/^250/);
    }
    expect(await program.lastEvent(id)).toBe('delivered');

    await program.bring(sample('outlook-jmrp'), [returnPath]);
    await program.bring(sample('arf-yahoo'), [returnPath]);

    expect((await program.events(id)).map(({ type }) => type).slice(2)).toEqual(['email.complained']);
    expect((await program.resend.suppressions.get('angry@example.test')).data).toMatchObject({
      origin: 'complaint',
      source_id: id,
    });
  });

  it('changes nothing if it is an automatic reply or written by a human, and is stored once for each kind', async () => {
    const { id, returnPath } = await program.delivered('away@example.test');
    for (const name of ['out-of-office-exchange', 'out-of-office-german', 'vacation', 'challenge', 'read-receipt']) {
      expect(await program.bring(sample(name), [returnPath])).toMatch(/^250/);
    }
    await program.bring(sample('reply-of-a-human'), [returnPath], 'jane@example.test');

    expect(await program.lastEvent(id)).toBe('delivered');
    expect((await program.events(id)).map(({ type }) => type)).toEqual(['email.sent', 'email.delivered']);
    const reports = (await program.trace(id))[0]?.reports ?? [];
    expect(reports.map(({ kind, effect }) => `${String(kind)} ${String(effect)}`)).toEqual([
      ...Array<string>(3).fill('automatic none'),
      'unknown none',
    ]);
  });

  it('counts as a complaint even after more automatic replies than are stored', async () => {
    const { id, returnPath } = await program.delivered('list@example.test');
    for (let member = 0; member < 22; member++) {
      const autoReply = `From: member${member}@example.test\r\nSubject: Away\r\nAuto-Submitted: auto-replied\r\n\r\nI am away.`;
      expect(await program.bring(autoReply, [returnPath])).toMatch(/^250/);
    }
    await program.bring(sample('arf-yahoo'), [returnPath]);

    expect(await program.lastEvent(id)).toBe('complained');
    expect((await program.trace(id))[0]?.reports).toHaveLength(21);
  });

  it('waits if the outcome of the delivery is not written yet, and is not lost', async () => {
    const { id, returnPath } = await program.delivered('quick@example.test');
    const database = program.app.get(Database);
    const set = (status: string): Promise<number> =>
      database.execute({ text: 'UPDATE recipients SET status = $2 WHERE email_id = $1', values: [id, status] });
    const report = sample('postfix-user-unknown').replaceAll('jane@', 'quick@');
    await set('queued');
    expect(await program.bring(report, [returnPath])).toMatch(/^451 4\.3\.0/);
    expect((await program.trace(id))[0]?.reports).toEqual([]);

    const reply = program.bring(report, [returnPath]);
    await set('delivered');
    expect(await reply).toMatch(/^250/);
    expect(await program.lastEvent(id)).toBe('bounced');
  });

  it('is read up to a limit if it is large', async () => {
    const { id, returnPath } = await program.delivered('large@example.test');
    const report =
      sample('postfix-user-unknown').replaceAll('jane@', 'large@') + `${'x'.repeat(998)}\r\n`.repeat(3_000);
    expect(await program.bring(report, [returnPath])).toMatch(/^250/);
    expect(await program.lastEvent(id)).toBe('bounced');
  });

  it('is accepted only once it is durable', async () => {
    const { id, returnPath } = await program.delivered('broken@example.test');
    const database = program.app.get(Database);
    const report = sample('postfix-user-unknown').replaceAll('jane@', 'broken@');
    await database.execute({ text: 'ALTER TABLE suppressions RENAME TO suppressions_away' });
    expect(await program.bring(report, [returnPath])).toMatch(/^451 4\.3\.0/);
    await database.execute({ text: 'ALTER TABLE suppressions_away RENAME TO suppressions' });
    expect(await program.lastEvent(id)).toBe('delivered');
    expect((await program.trace(id))[0]?.reports).toEqual([]);

    expect(await program.bring(report, [returnPath])).toMatch(/^250/);
    expect(await program.lastEvent(id)).toBe('bounced');
    expect((await program.resend.suppressions.get('broken@example.test')).data?.origin).toBe('bounce');
  });

  it('is accepted and ignored if the email no longer exists', async () => {
    const gone = program.app.get(ReturnPaths).of({ emailId: newId(), recipientNo: 0 }, 'send.acme.test');
    expect(await program.bring(sample('postfix-user-unknown'), [gone])).toMatch(/^250/);
  });
});

describe('a report to the feedback address', () => {
  const toFeedbackAddress = (name: string, returnPath: string): Promise<string> =>
    program.bring(sample(name).replaceAll(/bounces\+[a-z2-7]+@send\.acme\.test/g, returnPath), [
      'fbl@mail.service.test',
    ]);

  it('counts for the recipient whose signed return path is in the reported message', async () => {
    const { id, returnPath } = await program.delivered('fbl@example.test');
    expect(await toFeedbackAddress('arf-comcast-fraud', returnPath)).toMatch(/^250/);
    expect(await program.lastEvent(id)).toBe('complained');
  });

  it('changes nothing if the return path is forged, or if it is not a feedback report', async () => {
    const { id, returnPath } = await program.delivered('forged@example.test');
    expect(await toFeedbackAddress('arf-fastmail', forged(returnPath))).toMatch(/^250/);
    expect(await toFeedbackAddress('postfix-user-unknown', returnPath)).toMatch(/^250/);
    expect(await program.lastEvent(id)).toBe('delivered');
    expect((await program.trace(id))[0]?.reports).toEqual([]);
  });
});

describe('a client without a login', () => {
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

  it('causes no outgoing mail', async () => {
    const { returnPath } = await program.delivered('quiet@example.test');
    const before = program.transport.delivered.length;
    await program.bring(sample('postfix-user-unknown'), [returnPath], 'victim@elsewhere.test');
    await program.bring(sample('reply-of-a-human'), [returnPath], 'victim@elsewhere.test');
    expect(program.transport.delivered.length).toBe(before);
    const queued = await program.app.get(Database).query({ text: 'SELECT 1 FROM outbound_queue' });
    expect(queued).toEqual([]);
  });

  it('must log in to send, and to do anything on the other ports', async () => {
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

/** The return path with one letter of its token changed. */
function forged(returnPath: string): string {
  return returnPath.replace(
    /^(bounces\+.{20})(.)/,
    (_, head: string, letter: string) => head + (letter === 'a' ? 'b' : 'a'),
  );
}

it('a process that only listens for SMTP accepts reports as well', async () => {
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
