import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import Mailgun from 'mailgun.js';
import PostalMime from 'postal-mime';
import { testApiKey, TestProgram, testSender } from '../support/programs/program.js';
import {
  addWelcomeTemplate,
  exchange,
  refusalOf,
  startWires,
  WiresProgram,
} from '../support/programs/wires-program.js';
import { until } from '../support/runner/until.js';

/** The client of Mailgun, unchanged, and what Ghost does with it. */

let wires: WiresProgram;
let program: TestProgram;
let arrivalTo: WiresProgram['arrivalTo'];

beforeAll(async () => {
  wires = await startWires('mailgun', 'mailgun=mg.wires.test');
  ({ program, arrivalTo } = wires);
  await addWelcomeTemplate(program, testSender);
});

afterAll(() => wires.stop());

/** What Ghost reads of an event. */
interface GhostEvent {
  readonly event: string;
  readonly recipient: string;
  readonly message: { readonly headers: Readonly<Record<string, string>> };
  readonly 'user-variables': Readonly<Record<string, string>>;
}

describe('Mailgun', () => {
  const domain = 'sandbox.postrider.test';
  const client = (key = testApiKey): ReturnType<InstanceType<typeof Mailgun>['client']> => {
    const made = new Mailgun(FormData).client({ username: 'api', key, url: `${program.url}/mailgun` });
    // It would write on every call that there is something newer.
    Object.assign(made.events, { logger: { warn: () => undefined } });
    return made;
  };

  it('sends a message with everything that a message may have', async () => {
    const sent = await client().messages.create(domain, {
      from: testSender,
      to: ['Ann <ann@mg.test>', 'bo@mg.test'],
      cc: 'cc@mg.test',
      bcc: 'hidden@mg.test',
      subject: 'Grüße',
      text: 'Hello {{name}}',
      html: '<p>Hello {{name}} <img src="cid:logo.png"></p>',
      'o:tag': ['newsletter', 'may 2026'],
      'o:tracking': 'no',
      'h:Reply-To': 'answers@mg.test',
      'h:X-Order': '17',
      'v:order': 'A 17',
      attachment: [
        { filename: 'a.txt', data: Buffer.from('hello') },
        { filename: 'b.txt', data: Buffer.from('second') },
      ],
      inline: [{ filename: 'logo.png', data: Buffer.from('png') }],
    });
    expect(sent).toMatchObject({ status: 200, message: 'Queued. Thank you.' });
    const message = await arrivalTo('hidden@mg.test');
    const mail = await PostalMime.parse(message.content);
    expect(mail).toMatchObject({ subject: 'Grüße', messageId: sent.id, replyTo: [{ address: 'answers@mg.test' }] });
    expect(mail.text).toContain('Hello {{name}}');
    expect(mail.headers.find(({ key }) => key === 'x-order')?.value).toBe('17');
    expect(mail.attachments.map(({ filename }) => filename).sort()).toEqual(['a.txt', 'b.txt', 'logo.png']);
    const events = await until(async () => {
      const found = await client().events.get(domain, { event: 'delivered', tags: 'newsletter AND may 2026' });
      return found.items.length === 4 && found;
    });
    expect(events.items[0]).toMatchObject({
      event: 'delivered',
      'recipient-domain': 'mg.test',
      tags: ['newsletter', 'may 2026'],
      'user-variables': { order: 'A 17' },
      message: { headers: { 'message-id': sent.id?.slice(1, -1), subject: 'Grüße' } },
    });
    expect((await client().events.get(domain, { tags: 'newsletter AND june' })).items).toEqual([]);
  });

  it('sends finished messages, and forms that are not multipart', async () => {
    const mime = `From: ${testSender}\nTo: list@mg.test\nSubject: Finished\nMessage-ID: <own@mg.test>\n\nAs it is.\n`;
    const sent = await client().messages.create(domain, { to: 'mime@mg.test', message: mime });
    expect(sent.id).toBe('<own@mg.test>');
    expect((await arrivalTo('mime@mg.test')).content.toString()).toContain('\r\n\r\nAs it is.\r\n');
    const response = await form({ from: testSender, to: 'form@mg.test', subject: 'Form', text: 'x'.repeat(100_000) });
    expect([response.status, await response.json()]).toEqual([
      200,
      { id: expect.any(String), message: 'Queued. Thank you.' },
    ]);
    expect((await PostalMime.parse((await arrivalTo('form@mg.test')).content)).text?.length).toBeGreaterThan(99_000);
  });

  it('checks what is in test mode, sends later what shall go later, and finds templates', async () => {
    const message = { from: testSender, to: ['test@mg.test'], subject: 'Test', text: 'Test' };
    expect((await client().messages.create(domain, { ...message, 'o:testmode': 'yes' })).status).toBe(200);
    await client().messages.create(domain, {
      ...message,
      to: ['later@mg.test'],
      'o:deliverytime': new Date(Date.now() + 3_600_000).toUTCString(),
    });
    const { data } = await program.resend.emails.list();
    expect(data?.data.find(({ to }) => to[0] === 'later@mg.test')?.last_event).toBe('scheduled');
    expect(data?.data.some(({ to }) => to[0] === 'test@mg.test')).toBe(false);
    await client().messages.create(domain, {
      from: testSender,
      to: ['template@mg.test'],
      template: 'welcome',
      't:variables': JSON.stringify({ NAME: 'Grace' }),
    });
    expect((await PostalMime.parse((await arrivalTo('template@mg.test')).content)).subject).toBe('Welcome Grace');
  });

  it('sends the newsletters of Ghost, and tells it of every event', async () => {
    const members = Array.from({ length: 1_140 }, (_, n) => `member${n}@ghost.test`);
    members.push(...Array.from({ length: 10 }, (_, n) => `nobody${n}@ghost.test`));
    const startedAt = Math.floor(Date.now() / 1_000) - 5;
    const providerIds: string[] = [];
    for (let at = 0; at < members.length; at += 1_000) {
      const batch = members.slice(at, at + 1_000);
      const variables = Object.fromEntries(
        batch.map((email) => [
          email,
          { name: `<b>${email}</b>`, uuid: email.slice(0, 9), list_unsubscribe: `https://blog.test/?m=${email}` },
        ]),
      );
      const sent = await client().messages.create(domain, {
        to: batch,
        from: testSender,
        'h:Sender': testSender,
        'h:Reply-To': 'blog@ghost.test',
        'h:List-Unsubscribe': '<%recipient.list_unsubscribe%>, <%tag_unsubscribe_email%>',
        'h:List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
        subject: 'News for %recipient.uuid%',
        html: '<p>Hello %recipient.name%, {{{braces}}} and {{#if x}}</p>',
        text: 'Hello %recipient.name%',
        'recipient-variables': JSON.stringify(variables),
        'o:tag': ['bulk-email', 'ghost-email'],
        'o:tracking-opens': true,
        'v:email-id': '65f1c2d3e4a5b6c7d8e9f001',
      });
      providerIds.push((sent.id ?? '').slice(1, -1));
    }
    await until(
      () => wires.sink.messages.filter(({ content }) => content.includes('ghost.test')).length >= 1_140,
      120_000,
    );
    const mail = await PostalMime.parse((await arrivalTo('member7@ghost.test')).content);
    expect(mail).toMatchObject({ subject: 'News for member7@g', messageId: `<${providerIds[0]}>` });
    expect(mail.html).toContain('Hello <b>member7@ghost.test</b>, {{{braces}}} and {{#if x}}');
    expect(mail.headers.find(({ key }) => key === 'list-unsubscribe')?.value).toBe(
      '<https://blog.test/?m=member7@ghost.test>',
    );

    const options = {
      limit: 300,
      event: 'delivered OR opened OR failed OR unsubscribed OR complained',
      tags: 'bulk-email',
      begin: String(startedAt),
      end: String(startedAt + 3_600),
      ascending: 'yes' as const,
    };
    const poll = async (): Promise<GhostEvent[]> => {
      const all: GhostEvent[] = [];
      let page = await client().events.get(domain, options);
      while (page.items.length > 0) {
        all.push(...(page.items as unknown as GhostEvent[]));
        page = await client().events.get(domain, { ...options, page: page.pages.next?.page ?? '' });
      }
      return all;
    };
    const events = await until(async () => {
      const found = await poll();
      return found.length === 1_150 && found;
    }, 120_000);
    expect(new Set(events.map(({ recipient }) => recipient)).size).toBe(1_150);
    expect(new Set(events.map(({ message }) => message.headers['message-id']))).toEqual(new Set(providerIds));
    expect(events.every((event) => event['user-variables']['email-id'] === '65f1c2d3e4a5b6c7d8e9f001')).toBe(true);
    const failed = events.filter(({ event }) => event === 'failed');
    expect(failed).toHaveLength(10);
    expect(failed[0]).toMatchObject({
      severity: 'permanent',
      'delivery-status': { code: 550, 'enhanced-code': '5.1.1', message: expect.stringContaining('No such user') },
    });
    const newest = await client().events.get(domain, { limit: 5, event: 'failed', recipient: 'NOBODY3@ghost.test' });
    expect(newest.items.map(({ recipient }) => recipient)).toEqual(['nobody3@ghost.test']);
    const second300 = await client().events.get(domain, { ...options, page: newest.pages.previous?.page ?? '' });
    expect(second300.items).toEqual([]);
    await client().suppressions.destroy(domain, 'bounces', 'nobody3@ghost.test');
  });

  it('adds, reads and removes suppressions', async () => {
    const { suppressions } = client();
    await suppressions.create(domain, 'bounces', [{ address: 'b1@mg.test' }, { address: 'b2@mg.test' }]);
    await suppressions.create(domain, 'complaints', { address: 'c@mg.test' });
    await suppressions.create(domain, 'unsubscribes', { address: 'U@mg.test' });
    expect(await suppressions.get(domain, 'bounces', 'B1@mg.test')).toMatchObject({ address: 'b1@mg.test', code: 550 });
    const first = await suppressions.list(domain, 'bounces', { limit: 1 });
    const second = await suppressions.list(domain, 'bounces', { limit: 1, page: first.pages.next?.page });
    expect([first, second].flatMap(({ items }) => items.map((one) => ('address' in one ? one.address : '')))).toEqual([
      'b2@mg.test',
      'b1@mg.test',
    ]);
    expect((await suppressions.list(domain, 'complaints')).items).toMatchObject([{ address: 'c@mg.test' }]);
    expect(await suppressions.destroy(domain, 'unsubscribes', 'u@mg.test')).toMatchObject({
      message: 'Unsubscribe event has been removed',
    });
    expect(await refusalOf(suppressions.get(domain, 'unsubscribes', 'u@mg.test'))).toMatchObject({ status: 404 });
    expect(await refusalOf(suppressions.get(domain, 'complaints', 'b1@mg.test'))).toMatchObject({ status: 404 });
  });

  it('shows domains and has them verified', async () => {
    expect((await client().domains.list()).map(({ name }) => name)).toContain(domain);
    expect(await client().domains.get(domain)).toMatchObject({ name: domain, state: 'active' });
    const { data } = await program.resend.domains.create({ name: 'mg-domain.test' });
    expect(await client().domains.verify('mg-domain.test')).toMatchObject({
      name: 'mg-domain.test',
      state: 'unverified',
    });
    await program.resend.domains.remove(data?.id ?? '');
  });

  it('refuses by name what has no counterpart, and everything of another team', async () => {
    const message = { from: testSender, to: 'a@mg.test', subject: 'No', text: 'No' };
    const refused: readonly [object, RegExp][] = [
      [{ 'o:sending-ip': '192.0.2.1' }, /o:sending-ip/],
      [{ 'o:dkim': 'no' }, /o:dkim/],
      [{ 'amp-html': '<html>' }, /amp-html/],
      [{ 't:version': 'b' }, /t:version/],
      [{ text: '%unsubscribe_url%' }, /unsubscribe_url/],
      [{ text: 'Dear %recipient.name%' }, /recipient-variables/],
      [{ 'recipient-variables': '[1]' }, /recipient-variables/],
      [{ 'recipient-variables': '{"a@mg.test":7}' }, /recipient-variables/],
      [{ 'recipient-variables': '{}', cc: 'b@mg.test' }, /cc/],
      [{ 'o:deliverytime': 'soon' }, /deliverytime/],
      [{ to: Array.from({ length: 51 }, (_, n) => `a${n}@mg.test`).join() }, /recipient-variables/],
      [{ to: '' }, /to parameter/],
      [{ from: 'me@elsewhere.test' }, /elsewhere\.test/],
      [{ 'recipient-variables': '{}', text: '{{'.repeat(9_001) }, /9000/],
      [
        { 'recipient-variables': JSON.stringify({ 'a@mg.test': { x: 'y'.repeat(20_000) } }), text: '%recipient.x%' },
        /16000/,
      ],
      [
        { 'recipient-variables': JSON.stringify({ 'a@mg.test': { x: 'y'.repeat(9_000) } }), 'h:X-A': '%recipient.x%' },
        /X-A/,
      ],
    ];
    for (const [fields, reason] of refused) {
      const response = await form({ ...message, ...fields });
      const { message: text } = (await response.json()) as { message: string };
      expect([fields, response.status < 500 && response.status >= 400, text]).toEqual([
        fields,
        true,
        expect.stringMatching(reason),
      ]);
    }
    const theirs = client(wires.second.apiKey);
    for (const asked of [
      theirs.messages.create(domain, message),
      theirs.events.get(domain),
      theirs.suppressions.list(domain, 'bounces'),
      theirs.domains.get(domain),
    ]) {
      expect(await refusalOf(asked)).toMatchObject({
        status: 404,
        details: expect.stringContaining('Domain not found'),
      });
    }
    expect(await refusalOf(client('not-a-key').events.get(domain))).toMatchObject({ status: 401 });
    const events = (path: string): Promise<Response> =>
      program.request(`/mailgun/v3/${domain}/events${path}`, { headers: { authorization: basic(testApiKey) } });
    for (const path of [
      '?limit=301',
      '?event=eaten',
      '?begin=never',
      '?subject=a',
      '/e30',
      '/%25',
      `/${'a'.repeat(3_500)}`,
    ]) {
      expect([path, (await events(path)).status]).toEqual([path, 400]);
    }
  });

  it('answers under a host of its own', async () => {
    const headers = { host: 'MG.wires.test', authorization: basic(testApiKey) };
    const { text } = await exchange(program.url, { path: `/v3/${domain}/events`, headers });
    expect(JSON.parse(text)).toMatchObject({
      paging: { next: expect.stringContaining(`http://MG.wires.test/v3/${domain}/events/`) },
    });
  });

  const basic = (key: string): string => `Basic ${Buffer.from(`api:${key}`).toString('base64')}`;

  function form(fields: Record<string, string>): Promise<Response> {
    return program.request(`/mailgun/v3/${domain}/messages`, {
      method: 'POST',
      headers: { authorization: basic(testApiKey) },
      body: new URLSearchParams(fields),
    });
  }
});
