import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import sendgridClient from '@sendgrid/client';
import mail from '@sendgrid/mail';
import type { AttachmentData } from '@sendgrid/helpers/classes/attachment.js';
import { Errors, Models, ServerClient } from 'postmark';
import PostalMime from 'postal-mime';
import { testApiKey, TestProgram, testSender } from '../support/programs/program.js';
import { addWelcomeTemplate, refusalOf, startWires, WiresProgram } from '../support/programs/wires-program.js';
import { until } from '../support/runner/until.js';

/** The clients of other providers, unchanged: they send through the program to a real server, and read what became of it. */

let wires: WiresProgram;
let program: TestProgram;
let arrivalTo: WiresProgram['arrivalTo'];

beforeAll(async () => {
  wires = await startWires('postmark,sendgrid');
  ({ program, arrivalTo } = wires);
  await addWelcomeTemplate(program, testSender);
});

afterAll(() => wires.stop());

const host = (): string => new URL(program.url).host;

describe('Postmark', () => {
  const client = (token = testApiKey): ServerClient =>
    new ServerClient(token, { requestHost: `${host()}/postmark`, useHttps: false });

  it('sends a message with everything that a message may have', async () => {
    const sent = await client().sendEmail({
      From: testSender,
      To: '"Bell, Ann" <ann@pm.test>, Bo <bo@pm.test>',
      Cc: 'cc@pm.test',
      Bcc: 'hidden@pm.test',
      ReplyTo: 'answers@pm.test',
      Subject: 'Ordered',
      HtmlBody: '<p>Thank <b>you</b> <img src="cid:logo"></p>',
      TextBody: 'Thank you',
      Tag: 'order mails',
      Metadata: { order: 'A 17', plan: 'pro' },
      Headers: [{ Name: 'X-Order', Value: '17' }],
      TrackOpens: false,
      TrackLinks: Models.LinkTrackingOptions.None,
      Attachments: [
        { Name: 'a.txt', Content: Buffer.from('hello').toString('base64'), ContentType: 'text/plain', ContentID: '' },
        {
          Name: 'l.png',
          Content: Buffer.from('png').toString('base64'),
          ContentType: 'image/png',
          ContentID: 'cid:logo',
        },
      ],
      MessageStream: 'receipts',
    });
    expect(sent).toMatchObject({ ErrorCode: 0, Message: 'OK', MessageID: expect.stringMatching(/^[0-9a-f-]{36}$/) });
    const message = await arrivalTo('hidden@pm.test');
    const mail = await PostalMime.parse(message.content);
    expect(mail).toMatchObject({ subject: 'Ordered', to: [{ name: 'Bell, Ann' }, { address: 'bo@pm.test' }] });
    expect(mail.headers.find(({ key }) => key === 'x-order')?.value).toBe('17');
    expect(mail.attachments.map(({ filename, contentId }) => [filename, contentId])).toEqual(
      expect.arrayContaining([
        ['a.txt', undefined],
        ['l.png', '<logo>'],
      ]),
    );
    const details = await client().getOutboundMessageDetails(sent.MessageID);
    expect(details).toMatchObject({
      Tag: 'order mails',
      Metadata: { order: 'A 17', plan: 'pro' },
      MessageStream: 'receipts',
      Subject: 'Ordered',
      TextBody: 'Thank you',
    });
    const found = await client().getOutboundMessages({ count: 10, offset: 0, tag: 'order mails' });
    expect(found).toMatchObject({
      TotalCount: 1,
      Messages: [{ MessageID: sent.MessageID, Recipients: expect.any(Array) }],
    });
  });

  it('answers each message of a batch by itself', async () => {
    const message = (fields: object): Models.Message => ({
      From: testSender,
      To: 'batch@pm.test',
      Subject: 'Batch',
      TextBody: 'Hello',
      ...fields,
    });
    const results = await client().sendEmailBatch([
      message({ To: 'first@pm.test' }),
      message({ To: 'not an address' }),
      message({ To: 'third@pm.test' }),
      message({ From: 'me@elsewhere.test' }),
    ]);
    expect(results.map(({ ErrorCode }) => ErrorCode)).toEqual([0, 300, 0, 300]);
    await Promise.all(['first@pm.test', 'third@pm.test'].map(arrivalTo));
    expect(await refusalOf(client().sendEmailBatch([]))).toMatchObject({ statusCode: 422, code: 300 });
  });

  it('sends the stored templates', async () => {
    await client().sendEmailWithTemplate({
      From: testSender,
      To: 'welcome@pm.test',
      TemplateAlias: 'welcome',
      TemplateModel: { NAME: 'Ada' },
    });
    expect((await PostalMime.parse((await arrivalTo('welcome@pm.test')).content)).subject).toBe('Welcome Ada');
    const [one, two] = await client().sendEmailBatchWithTemplates([
      { From: testSender, To: 'two@pm.test', TemplateAlias: 'welcome', TemplateModel: { NAME: 'Two' } },
      { From: testSender, To: 'three@pm.test', TemplateAlias: 'unknown', TemplateModel: {} },
    ]);
    expect([one?.ErrorCode, two?.ErrorCode]).toEqual([0, 300]);
    expect(
      await refusalOf(
        client().sendEmailWithTemplate({ To: 'a@pm.test', From: testSender, TemplateId: 7, TemplateModel: {} }),
      ),
    ).toMatchObject({ code: 300, message: expect.stringContaining('TemplateId') });
  });

  it('tells of bounces, keeps their addresses, and lets them be activated again', async () => {
    await client().sendEmail({
      From: testSender,
      To: 'nobody@pm.test',
      Subject: 'Lost',
      TextBody: 'Hello',
      Tag: 'lost',
    });
    const bounce = await until(
      async () => (await client().getBounces({ count: 5, offset: 0, tag: 'lost' })).Bounces[0],
    );
    expect(bounce).toMatchObject({ Type: 'HardBounce', Email: 'nobody@pm.test', Tag: 'lost', Inactive: true });
    expect(await client().getBounce(bounce.ID)).toEqual(bounce);
    const again = client().sendEmail({ From: testSender, To: 'nobody@pm.test', Subject: 'Again', TextBody: 'Hello' });
    const refusal = await refusalOf(again);
    expect(refusal).toBeInstanceOf(Errors.InactiveRecipientsError);
    expect(refusal).toMatchObject({ code: 406, recipients: ['nobody@pm.test'] });
    expect(await client().getSuppressions('outbound')).toMatchObject({
      Suppressions: [{ EmailAddress: 'nobody@pm.test', SuppressionReason: 'HardBounce' }],
    });
    expect(await client().activateBounce(bounce.ID)).toMatchObject({ Message: 'OK' });
    expect((await client().getSuppressions('outbound')).Suppressions).toEqual([]);
  });

  it('adds and removes suppressions', async () => {
    const added = await client().createSuppressions('outbound', {
      Suppressions: [{ EmailAddress: 'Gone@pm.test' }, { EmailAddress: 'nonsense' }],
    });
    expect(added.Suppressions.map(({ Status }) => Status)).toEqual(['Suppressed', 'Failed']);
    expect((await client().getSuppressions('outbound')).Suppressions).toMatchObject([
      { EmailAddress: 'gone@pm.test', SuppressionReason: 'ManualSuppression', Origin: 'Customer' },
    ]);
    await client().deleteSuppressions('outbound', { Suppressions: [{ EmailAddress: 'gone@pm.test' }] });
    expect((await client().getSuppressions('outbound')).Suppressions).toEqual([]);
  });

  it('refuses in the words and with the codes of Postmark', async () => {
    const message = { From: testSender, To: 'a@pm.test', Subject: 'No', TextBody: 'No' };
    const unknown = await refusalOf(client('re_unknown_0123456789').sendEmail(message));
    expect(unknown).toBeInstanceOf(Errors.InvalidAPIKeyError);
    expect(unknown).toMatchObject({ statusCode: 401, code: 10 });
    expect(await refusalOf(client().sendEmail({ ...message, From: 'me@elsewhere.test' }))).toMatchObject({ code: 400 });
    expect(
      await refusalOf(client().sendEmail({ ...message, TrackLinks: Models.LinkTrackingOptions.TextOnly })),
    ).toMatchObject({ code: 300, message: expect.stringContaining('TrackLinks') });
    const post = (body: string): Promise<Response> =>
      program.request('/postmark/email', { method: 'POST', body, headers: { 'x-postmark-server-token': testApiKey } });
    for (const body of ['{', '[]', '"x"', '{"To":7}', '{"Attachments":{}}', '{"Headers":[1]}', '']) {
      const response = await post(body);
      expect([response.status, Object.keys((await response.json()) as object)]).toEqual([
        422,
        ['ErrorCode', 'Message'],
      ]);
    }
    const nowhere = await program.request('/postmark/nowhere');
    expect([nowhere.status, await nowhere.json()]).toEqual([404, { ErrorCode: 404, Message: expect.any(String) }]);
  });

  it('shows nothing of another team', async () => {
    const { MessageID } = await client().sendEmail({
      From: testSender,
      To: 'own@pm.test',
      Subject: 'Own',
      TextBody: 'Own',
    });
    const { Bounces } = await client().getBounces({ count: 1, offset: 0 });
    const theirs = client(wires.second.apiKey);
    expect(await refusalOf(theirs.getOutboundMessageDetails(MessageID))).toMatchObject({ statusCode: 404, code: 701 });
    expect(await refusalOf(theirs.getBounce(Bounces[0]?.ID ?? 0))).toMatchObject({ statusCode: 404, code: 407 });
    expect(await theirs.getOutboundMessages({ count: 5, offset: 0 })).toMatchObject({ TotalCount: 0 });
    expect(await theirs.getBounces({ count: 5, offset: 0 })).toMatchObject({ TotalCount: 0 });
    expect(await client().getServer()).toMatchObject({ SmtpApiActivated: true });
  });
});

describe('SendGrid', () => {
  const client = sendgridClient;
  beforeAll(() => {
    client.setApiKey(`SG.${testApiKey}`);
    client.setDefaultRequest('baseUrl', `${program.url}/sendgrid/`);
    mail.setClient(client);
  });

  const ask = (
    method: 'GET' | 'POST' | 'DELETE',
    url: string,
    body?: object,
    key?: string,
  ): Promise<Record<string, unknown>> =>
    client
      .request({ method, url, body, ...(key && { headers: { Authorization: `Bearer ${key}` } }) })
      .then(([response]) => response.body as Record<string, unknown>);

  it('sends a message with everything that a message may have', async () => {
    const [response] = await mail.send({
      from: { email: 'hello@sandbox.postrider.test', name: 'Acme, Inc.' },
      replyTo: 'answers@sg.test',
      to: [{ email: 'ann@sg.test', name: 'Ann' }, 'bo@sg.test'],
      cc: 'cc@sg.test',
      bcc: 'hidden@sg.test',
      subject: 'Ordered',
      text: 'Thank you',
      html: '<p>Thank <b>you</b></p>',
      categories: ['orders', 'may 2026'],
      customArgs: { order: 'A 17' },
      headers: { 'X-Order': '17' },
      attachments: [
        {
          content: Buffer.from('hello').toString('base64'),
          filename: 'a.txt',
          type: 'text/plain',
          disposition: 'attachment',
        },
        {
          content: Buffer.from('png').toString('base64'),
          filename: 'l.png',
          type: 'image/png',
          disposition: 'inline',
          content_id: 'logo',
        } as AttachmentData,
      ],
      trackingSettings: { clickTracking: { enable: false }, openTracking: { enable: false } },
    });
    expect(response.statusCode).toBe(202);
    const email = await program.resend.emails.get(String(response.headers['x-message-id']));
    expect(email.data).toMatchObject({ tags: expect.arrayContaining([{ name: 'category', value: 'orders' }]) });
    const parsed = await PostalMime.parse((await arrivalTo('hidden@sg.test')).content);
    expect(parsed).toMatchObject({
      subject: 'Ordered',
      from: { name: 'Acme, Inc.' },
      to: [{ name: 'Ann' }, { address: 'bo@sg.test' }],
    });
    expect(parsed.attachments.map(({ filename, contentId }) => [filename, contentId])).toEqual(
      expect.arrayContaining([
        ['a.txt', undefined],
        ['l.png', '<logo>'],
      ]),
    );
  });

  it('sends each personalization, with its substitutions', async () => {
    const personal = (to: object, substitutions: object): object => ({ to: [to], substitutions });
    const body = {
      from: { email: 'hello@sandbox.postrider.test' },
      subject: 'For -name-',
      content: [{ type: 'text/html', value: '<p>-name- and -names- in {{city}}, {{{x}}}</p>' }],
    };
    const people = [
      personal({ email: 's1@sg.test' }, { '-name-': '<i>One</i>', '-names-': 'all', '{{city}}': '-name-' }),
    ];
    people.push(personal({ email: 's2@sg.test' }, { '-name-': 'Two' }));
    await ask('POST', '/v3/mail/send', { ...body, personalizations: people });
    const first = await PostalMime.parse((await arrivalTo('s1@sg.test')).content);
    expect([first.subject, first.html?.trim()]).toEqual([
      'For <i>One</i>',
      '<p><i>One</i> and all in -name-, {{{x}}}</p>',
    ]);
    const second = await PostalMime.parse((await arrivalTo('s2@sg.test')).content);
    expect([second.subject, second.html?.trim()]).toEqual(['For Two', '<p>Two and -names- in {{city}}, {{{x}}}</p>']);
    const copied = { ...personal({ email: 's3@sg.test' }, { '-name-': 'Three' }), cc: [{ email: 's4@sg.test' }] };
    await ask('POST', '/v3/mail/send', { ...body, personalizations: [copied] });
    expect((await PostalMime.parse((await arrivalTo('s4@sg.test')).content)).subject).toBe('For Three');
  });

  it('sends stored templates and later, and in sandbox mode nothing', async () => {
    const templated = { from: testSender, templateId: 'd-welcome' };
    await mail.send([
      { ...templated, to: 't1@sg.test', dynamicTemplateData: { NAME: 'Ada' } },
      { ...templated, to: 't2@sg.test', dynamicTemplateData: { NAME: 'Bo' } },
    ]);
    expect((await PostalMime.parse((await arrivalTo('t2@sg.test')).content)).subject).toBe('Welcome Bo');
    const message = { from: testSender, to: 'never@sg.test', subject: 'Never', text: 'Never' };
    const [response] = await mail.send({ ...message, mailSettings: { sandboxMode: { enable: true } } });
    expect(response.statusCode).toBe(200);
    await mail.send({ ...message, to: 'later@sg.test', sendAt: Math.floor(Date.now() / 1_000) + 3_600 });
    const { data } = await program.resend.emails.list();
    expect(data?.data.find(({ to }) => to[0] === 'later@sg.test')?.last_event).toBe('scheduled');
    expect(data?.data.some(({ to }) => to[0] === 'never@sg.test')).toBe(false);
  });

  it('adds, reads and removes suppressions, and tells the scopes of a key', async () => {
    expect(
      await ask('POST', '/v3/asm/suppressions/global', { recipient_emails: ['u1@sg.test', 'u2@sg.test'] }),
    ).toEqual({
      recipient_emails: ['u1@sg.test', 'u2@sg.test'],
    });
    expect(await ask('GET', '/v3/asm/suppressions/global/u1@sg.test')).toEqual({ recipient_email: 'u1@sg.test' });
    expect(await ask('GET', '/v3/suppression/unsubscribes?limit=1&offset=1')).toMatchObject([{ email: 'u1@sg.test' }]);
    expect(await ask('GET', '/v3/suppression/bounces/u1@sg.test')).toEqual([]);
    await ask('DELETE', '/v3/asm/suppressions/global/u1@sg.test');
    await ask('DELETE', '/v3/suppression/unsubscribes', { emails: ['u2@sg.test'] });
    expect(await ask('GET', '/v3/asm/suppressions/global/u2@sg.test')).toEqual({});
    expect((await ask('GET', '/v3/scopes')).scopes).toContain('mail.send');
  });

  it('refuses by name what has no counterpart, in the shape of SendGrid', async () => {
    const message = {
      personalizations: [{ to: [{ email: 'a@sg.test' }] }],
      from: { email: 'hello@sandbox.postrider.test' },
      subject: 'No',
      content: [{ type: 'text/plain', value: 'No' }],
    };
    const refused: readonly [object, RegExp][] = [
      [{ batch_id: 'x' }, /batch_id/],
      [{ asm: { group_id: 1 } }, /asm/],
      [{ ip_pool_name: 'x' }, /ip_pool_name/],
      [{ content: [{ type: 'text/calendar', value: 'x' }] }, /text\/calendar/],
      [{ mail_settings: { footer: { enable: true } } }, /footer/],
      [{ tracking_settings: { ganalytics: { enable: true } } }, /ganalytics/],
      [{ personalizations: [] }, /personalizations/],
      [{ personalizations: [{ to: [{ email: 'a' }] }] }, /email/],
      [{ personalizations: [{ to: 'a@sg.test' }] }, /array/],
      [{ from: { email: 'me@elsewhere.test' } }, /elsewhere\.test/],
      [{ personalizations: Array.from({ length: 1_001 }, () => ({ to: [{ email: 'a@sg.test' }] })) }, /1000/],
    ];
    for (const [fields, reason] of refused) {
      const error = await refusalOf(ask('POST', '/v3/mail/send', { ...message, ...fields }));
      const { errors } = (error.response as { body: { errors: { message: string }[] } }).body;
      expect([error.code, errors[0]?.message]).toEqual([expect.any(Number), expect.stringMatching(reason)]);
    }
    expect(await refusalOf(ask('GET', '/v3/scopes', undefined, 'SG.re_unknown_0123456789'))).toMatchObject({
      code: 401,
    });
    expect(await refusalOf(ask('GET', '/v3/nothing'))).toMatchObject({ code: 404 });
    await ask('POST', '/v3/asm/suppressions/global', { recipient_emails: ['mine@sg.test'] });
    expect(await ask('GET', '/v3/asm/suppressions/global/mine@sg.test', undefined, wires.second.apiKey)).toEqual({});
  });
});

describe('the wires', () => {
  it('are told to a key with full access, and stand in no description', async () => {
    const response = await program.request('/wires');
    expect(await response.json()).toMatchObject({
      data: expect.arrayContaining([
        { wire: 'postmark', base_urls: [`${program.url}/postmark`], user: null, secret: expect.any(String) },
      ]),
    });
    const described = (await (await fetch(`${program.url}/openapi.json`)).json()) as { paths: object };
    expect(
      Object.keys(described.paths).filter((path) => /^\/(?:postmark|mailgun|sendgrid|ses|wires)/.test(path)),
    ).toEqual([]);
  });
});
