import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ReturnPaths } from '#delivery';
import { newId } from '#kernel';
import { Database } from '#postgres/database';
import { program, sample, startFeedback, stopFeedback, forged } from '../support/builders/feedback-reports.js';

beforeAll(startFeedback);
afterAll(stopFeedback);

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
        kind: 'delivery',
        reporter: 'mx.example.test',
        action: 'failed',
        status: '5.1.1',
        category: 'bad-address',
        diagnostic: said,
        effect: 'bounced',
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
