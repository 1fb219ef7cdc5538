import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Errors, Models, ServerClient } from 'postmark';
import PostalMime from 'postal-mime';
import { startProgram, testApiKey, TestProgram, testSender } from '../support/programs/program.js';
import { addSecondTeam, SecondTeam } from '../support/programs/second-team.js';
import { until } from '../support/runner/until.js';
import { SinkMessage, SmtpSink } from '../support/servers/smtp-sink.js';

/** The clients of other providers, unchanged: they send through the program to a real server, and read what became of it. */

let sink: SmtpSink;
let program: TestProgram;
let second: SecondTeam;

beforeAll(async () => {
  sink = await SmtpSink.listen({
    keep: true,
    replyToRecipient: (address) => (address.startsWith('nobody') ? '550 5.1.1 No such user' : undefined),
  });
  program = await startProgram({
    DELIVERY_TRANSPORT: 'relay',
    RELAY_URL: `smtp://127.0.0.1:${sink.port}?tls=none`,
    WIRES: 'postmark,mailgun,sendgrid,ses',
    WIRE_HOSTS: 'mailgun=mg.wires.test',
  });
  second = await addSecondTeam(program.postrider.app);
});

afterAll(async () => {
  await program.stop();
  await sink.close();
});

function arrivalTo(address: string): Promise<SinkMessage> {
  return until(() => sink.messages.find(({ recipients }) => recipients.includes(address)));
}

const host = (): string => new URL(program.url).host;

/** What a client's promise was rejected with. */
async function refusalOf(asked: Promise<unknown>): Promise<Record<string, unknown>> {
  return asked.then(
    () => ({}),
    (error: Record<string, unknown>) => error,
  );
}

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
    const template = await program.resend.templates.create({
      name: 'Welcome',
      alias: 'pm-welcome',
      from: testSender,
      subject: 'Welcome {{{NAME}}}',
      html: '<p>Hello {{{NAME}}}</p>',
      variables: [{ key: 'NAME', type: 'string' }],
    });
    await program.resend.templates.publish(template.data?.id ?? '');
    await client().sendEmailWithTemplate({
      From: testSender,
      To: 'welcome@pm.test',
      TemplateAlias: 'pm-welcome',
      TemplateModel: { NAME: 'Ada' },
    });
    expect((await PostalMime.parse((await arrivalTo('welcome@pm.test')).content)).subject).toBe('Welcome Ada');
    const [one, two] = await client().sendEmailBatchWithTemplates([
      { From: testSender, To: 'two@pm.test', TemplateAlias: 'pm-welcome', TemplateModel: { NAME: 'Two' } },
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
    const theirs = client(second.apiKey);
    expect(await refusalOf(theirs.getOutboundMessageDetails(MessageID))).toMatchObject({ statusCode: 404, code: 701 });
    expect(await refusalOf(theirs.getBounce(Bounces[0]?.ID ?? 0))).toMatchObject({ statusCode: 404, code: 407 });
    expect(await theirs.getOutboundMessages({ count: 5, offset: 0 })).toMatchObject({ TotalCount: 0 });
    expect(await theirs.getBounces({ count: 5, offset: 0 })).toMatchObject({ TotalCount: 0 });
    expect(await client().getServer()).toMatchObject({ SmtpApiActivated: true });
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
    expect(Object.keys(described.paths).filter((path) => /^\/(?:postmark|mailgun|sendgrid|ses|wires)/.test(path))).toEqual([]);
  });
});
