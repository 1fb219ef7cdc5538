import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { dkimVerify } from 'mailauth/lib/dkim/verify.js';
import PostalMime from 'postal-mime';
import { OwnedDomains } from '#domains';
import { startProgram, testSender, TestProgram } from '../support/programs/program.js';
import { SinkMessage, SmtpSink } from '../support/servers/smtp-sink.js';
import { until } from '../support/runner/until.js';

let sink: SmtpSink;
let program: TestProgram;

beforeAll(async () => {
  sink = await SmtpSink.listen({
    keep: true,
    replyToRecipient: (address) => (address.startsWith('nobody') ? '550 5.1.1 No such user' : undefined),
  });
  program = await startProgram({ DELIVERY_TRANSPORT: 'relay', RELAY_URL: `smtp://127.0.0.1:${sink.port}?tls=none` });
});

afterAll(async () => {
  await program.stop();
  await sink.close();
});

function arrival(subject: string): Promise<SinkMessage> {
  return until(() => sink.messages.find((message) => message.content.includes(`Subject: ${subject}`)));
}

async function idOf(sent: ReturnType<TestProgram['resend']['emails']['send']>): Promise<string> {
  const { data, error } = await sent;
  expect(error).toBeNull();
  return data?.id ?? '';
}

async function eventsOf(id: string): Promise<{ seq: number; type: string; recipient: string | null; data: unknown }[]> {
  const response = await program.request(`/emails/${id}/events`);
  return ((await response.json()) as { data: { seq: number; type: string; recipient: string; data: unknown }[] }).data;
}

describe('an email sent by the resend client', () => {
  it('arrives with both parts and a signature that an outside verifier accepts', async () => {
    const text = `${'A long line without any break. '.repeat(60)}\nSecond line`;
    await idOf(
      program.resend.emails.send({
        from: 'Zoë Müller 🚚 <zoe@sandbox.postrider.test>',
        to: ['Ann Örtel <ann@sink.test>'],
        subject: 'Grüße aus Zürich — 発送のお知らせ',
        html: '<p>Ihre Sendung ist unterwegs: <a href="https://shop.test/?a=1&amp;b=2">verfolgen</a></p>',
        text,
      }),
    );
    const message = await until(() => sink.messages.find(({ recipients }) => recipients.includes('ann@sink.test')));
    const parsed = await PostalMime.parse(message.content);
    expect(parsed.subject).toBe('Grüße aus Zürich — 発送のお知らせ');
    expect(parsed.from).toMatchObject({ name: 'Zoë Müller 🚚', address: 'zoe@sandbox.postrider.test' });
    expect(parsed.text?.replace(/\r\n/g, '\n').trimEnd()).toBe(text);
    expect(parsed.html).toContain('https://shop.test/?a=1&amp;b=2');

    const keys = program.postrider.app.get(OwnedDomains, { strict: false });
    const resolver = async (name: string): Promise<string[][]> => {
      const [selector = '', domain = ''] = name.split('._domainkey.');
      return [[(await keys.dkimRecord(selector, domain)) ?? '']];
    };
    const verdict = await dkimVerify(message.content, { resolver });
    expect(verdict.results.map(({ status }) => status.result)).toEqual(['pass']);
    expect(verdict.results[0]?.signingDomain).toBe('sandbox.postrider.test');
  });

  it('reaches cc and bcc, and names bcc nowhere in the message', async () => {
    await idOf(
      program.resend.emails.send({
        from: testSender,
        to: 'to@sink.test',
        cc: ['cc@sink.test'],
        bcc: ['hidden@sink.test', 'TO@sink.test'],
        replyTo: 'answers@sink.test',
        subject: 'Copies',
        text: 'Hello',
      }),
    );
    const copies = await until(() => {
      const arrived = sink.messages.filter(({ content }) => content.includes('Subject: Copies'));
      return arrived.length === 3 && arrived;
    });
    const [message] = copies as [SinkMessage];
    expect(copies.flatMap(({ recipients }) => recipients).sort()).toEqual([
      'cc@sink.test',
      'hidden@sink.test',
      'to@sink.test',
    ]);
    expect(new Set(copies.map(({ mailFrom }) => mailFrom)).size).toBe(3);
    expect(new Set(copies.map(({ content }) => content.toString())).size).toBe(1);
    expect(message.content.toString()).not.toContain('hidden@sink.test');
    expect(message.content.toString()).toMatch(/^Cc: cc@sink\.test\r$/m);
    expect(message.content.toString()).toMatch(/^Reply-To: answers@sink\.test\r$/m);
    expect(message.mailFrom).toMatch(/^bounces\+[a-z2-7]{45}@send\.sandbox\.postrider\.test$/);
  });

  it('carries custom headers and attachments', async () => {
    await idOf(
      program.resend.emails.send({
        from: testSender,
        to: 'files@sink.test',
        subject: 'Files',
        html: '<img src="cid:logo">',
        headers: { 'X-Entity-Ref-ID': 'order-17', 'List-Unsubscribe': '<https://shop.test/u>' },
        tags: [{ name: 'kind', value: 'receipt' }],
        attachments: [
          { filename: 'rechnung-ä.pdf', content: Buffer.from('%PDF-1.7 fake') },
          { filename: 'logo.png', content: Buffer.from([137, 80, 78, 71]).toString('base64'), contentId: 'logo' },
        ],
      }),
    );
    const parsed = await PostalMime.parse((await arrival('Files')).content);
    expect(parsed.headers.find(({ key }) => key === 'x-entity-ref-id')?.value).toBe('order-17');
    expect(parsed.attachments.map(({ filename, mimeType }) => [filename, mimeType])).toEqual(
      expect.arrayContaining([
        ['rechnung-ä.pdf', 'application/pdf'],
        ['logo.png', 'image/png'],
      ]),
    );
  });

  it('can be read with its events in order', async () => {
    const id = await idOf(
      program.resend.emails.send({ from: testSender, to: 'reader@sink.test', subject: 'Read me', text: 'Body' }),
    );
    await arrival('Read me');
    await until(async () => (await program.resend.emails.get(id)).data?.last_event === 'delivered');
    expect((await program.resend.emails.get(id)).data).toMatchObject({
      object: 'email',
      id,
      from: testSender,
      to: ['reader@sink.test'],
      subject: 'Read me',
      html: null,
      text: 'Body',
      last_event: 'delivered',
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?\+00$/),
    });
    expect(await eventsOf(id)).toMatchObject([
      { seq: 1, type: 'email.sent', recipient: 'reader@sink.test' },
      { seq: 2, type: 'email.delivered', recipient: 'reader@sink.test' },
    ]);
  });

  it('has a bounce event for a refused recipient, and reaches the others', async () => {
    const id = await idOf(
      program.resend.emails.send({
        from: testSender,
        to: ['nobody@sink.test', 'somebody@sink.test'],
        subject: 'Half',
        text: 'Body',
      }),
    );
    const events = await until(async () => {
      const found = await eventsOf(id);
      return found.length === 4 && found;
    });
    expect(events.map(({ seq }) => seq)).toEqual([1, 2, 3, 4]);
    expect(events.find(({ type }) => type === 'email.bounced')).toMatchObject({
      recipient: 'nobody@sink.test',
      data: { bounce: { type: 'Permanent', diagnosticCode: ['smtp; 550 5.1.1 No such user'] } },
    });
    expect(events.find(({ type }) => type === 'email.delivered')).toMatchObject({ recipient: 'somebody@sink.test' });
  });

  it('is listed newest first, page by page', async () => {
    const ids: string[] = [];
    for (const n of [1, 2, 3]) {
      const subject = `Page ${n}`;
      ids.push(await idOf(program.resend.emails.send({ from: testSender, to: 'p@sink.test', subject, text: 'x' })));
    }
    const first = await program.resend.emails.list({ limit: 2 });
    expect(first.data).toMatchObject({ object: 'list', has_more: true, data: [{ id: ids[2] }, { id: ids[1] }] });
    const second = await program.resend.emails.list({ limit: 1, after: ids[1] });
    expect(second.data?.data).toMatchObject([{ id: ids[0] }]);
    const back = await program.resend.emails.list({ limit: 1, before: ids[0] });
    expect(back.data).toMatchObject({ has_more: true, data: [{ id: ids[1] }] });
  });
});
