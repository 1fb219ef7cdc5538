import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { GetAccountCommand, SendEmailCommand, SESv2Client } from '@aws-sdk/client-sesv2';
import { AwsClient } from 'aws4fetch';
import { createTransport } from 'nodemailer';
import PostalMime from 'postal-mime';
import { newId } from '#kernel';
import { testApiKey, TestProgram, testSender } from '../support/programs/program.js';
import {
  addWelcomeTemplate,
  exchange,
  refusalOf,
  startWires,
  WiresProgram,
} from '../support/programs/wires-program.js';
import { itUnless, whyNo } from '../support/runner/unless.js';

/** The clients of Amazon SES, unchanged. */

let wires: WiresProgram;
let program: TestProgram;
let arrivalTo: WiresProgram['arrivalTo'];
let credentials: { accessKeyId: string; secretAccessKey: string };

const client = (given = credentials, path = '/ses', systemClockOffset = 0): SESv2Client =>
  new SESv2Client({
    region: 'eu-central-1',
    endpoint: `${program.url}${path}`,
    credentials: given,
    systemClockOffset,
    maxAttempts: 1,
  });

const simple = (to: string, more: object = {}): SendEmailCommand =>
  new SendEmailCommand({
    FromEmailAddress: testSender,
    Destination: { ToAddresses: [to] },
    Content: {
      Simple: { Subject: { Data: 'Grüße' }, Body: { Text: { Data: 'Hello' }, Html: { Data: '<p>Hello</p>' } } },
    },
    ...more,
  });

beforeAll(async () => {
  wires = await startWires('ses', '');
  ({ program, arrivalTo } = wires);
  await addWelcomeTemplate(program, testSender);
  const shown = (await (await program.request('/wires')).json()) as { data: Record<string, string>[] };
  const ses = shown.data.find(({ wire }) => wire === 'ses');
  credentials = { accessKeyId: ses?.access_key_id ?? '', secretAccessKey: ses?.secret_access_key ?? '' };
});

afterAll(() => wires.stop());

it('sends simple and finished messages, large ones too, and those of templates', async () => {
  const tagged = simple('simple@ses.test', {
    EmailTags: [{ Name: 'order', Value: 'A17' }],
    ReplyToAddresses: ['r@ses.test'],
  });
  const { MessageId } = await client().send(tagged);
  expect((await program.resend.emails.get(MessageId ?? '')).data).toMatchObject({
    tags: [{ name: 'order', value: 'A17' }],
  });
  expect((await PostalMime.parse((await arrivalTo('simple@ses.test')).content)).subject).toBe('Grüße');
  const mime = `From: ${testSender}\nTo: raw@ses.test\nBcc: hidden@ses.test\nSubject: Raw\n\n${'As it is. \n'.repeat(10_000)}`;
  await client().send(new SendEmailCommand({ Content: { Raw: { Data: Buffer.from(mime) } } }));
  expect((await arrivalTo('hidden@ses.test')).content.toString()).not.toContain('Bcc:');
  const template = { TemplateName: 'welcome', TemplateData: '{"NAME":"Ada"}' };
  await client().send(simple('template@ses.test', { Content: { Template: template } }));
  expect((await PostalMime.parse((await arrivalTo('template@ses.test')).content)).subject).toBe('Welcome Ada');
  expect(await client().send(new GetAccountCommand({}))).toMatchObject({ SendingEnabled: true });
});

it('refuses what is not signed by the key, now and as it is', async () => {
  const names = async (given: SESv2Client, command = simple('no@ses.test')): Promise<unknown> =>
    (await refusalOf(given.send(command))).name;
  expect(await names(client({ ...credentials, secretAccessKey: testApiKey }))).toBe('SignatureDoesNotMatch');
  expect(await names(client({ ...credentials, accessKeyId: newId() }))).toBe('SignatureDoesNotMatch');
  expect(await names(client({ ...credentials, accessKeyId: 'AKIAEXAMPLE' }))).toBe('UnrecognizedClientException');
  expect(await names(client(credentials, '/ses', 6 * 60_000))).toBe('SignatureDoesNotMatch');
  const byArn = simple('no@ses.test', { FromEmailAddressIdentityArn: 'x' });
  expect(await names(client(), byArn)).toBe('BadRequestException');
  expect(await names(client(), simple('no@ses.test', { FromEmailAddress: 'me@elsewhere.test' }))).toBe(
    'MailFromDomainNotVerifiedException',
  );
  const other = await program.request(`/wires?api_key_id=${newId()}`);
  expect(other.status).toBe(404);
  const theirs = await program.request(`/wires?api_key_id=${credentials.accessKeyId}`, {
    headers: { authorization: `Bearer ${wires.second.apiKey}` },
  });
  expect(theirs.status).toBe(404);
});

it('takes large bodies whose hash is signed and not sent, as boto3 does, of the key that has signed them', async () => {
  const mime = `From: ${testSender}\nTo: unsent@ses.test\nSubject: Raw\n\n${'As it is. \n'.repeat(50_000)}`;
  const body = JSON.stringify({ Content: { Raw: { Data: Buffer.from(mime).toString('base64') } } });
  const statusOf = async (given: typeof credentials, sent = body): Promise<number> => {
    const signer = new AwsClient({ ...given, service: 'ses', region: 'eu-central-1' });
    const url = `${program.url}/ses/v2/email/outbound-emails`;
    const headers = { 'content-type': 'application/json' };
    const signed = await signer.sign(url, { method: 'POST', headers, body });
    expect(signed.headers.has('x-amz-content-sha256')).toBe(false);
    return (await fetch(url, { method: 'POST', headers: signed.headers, body: sent })).status;
  };
  expect(await statusOf(credentials)).toBe(200);
  expect((await arrivalTo('unsent@ses.test')).content.length).toBeGreaterThan(500_000);
  expect(await statusOf({ ...credentials, secretAccessKey: testApiKey })).toBe(403);
  expect(await statusOf(credentials, body.replace('"Raw"', '"raw"'))).toBe(403);
  for (const accessKeyId of [newId(), '-'.repeat(36), 'AKIAEXAMPLE']) {
    expect(await statusOf({ ...credentials, accessKeyId })).toBe(403);
  }
});

it('refuses another body under the same signature', async () => {
  const captured = client();
  let sent: { path: string; headers: Record<string, string>; body: string } | undefined;
  captured.middlewareStack.add(
    (next) => (args) => {
      sent = args.request as typeof sent;
      return next(args);
    },
    { step: 'finalizeRequest', priority: 'low' },
  );
  await captured.send(simple('first@ses.test'));
  const { path = '', headers = {}, body = '' } = sent ?? {};
  const again = async (text: string, at = path): Promise<number> => {
    const changed = { ...headers, 'content-length': Buffer.byteLength(text) };
    return (await exchange(program.url, { method: 'POST', path: at, headers: changed }, text)).status;
  };
  expect(await again(body)).toBe(200);
  expect(await again(body.replace('first@', 'other@'))).toBe(403);
  expect(await again(body, path.replace('/v2/', '//v2/'))).toBe(404);
  expect(await again(body, `${path}?x=1`)).toBe(403);
});

it('Nodemailer verifies its credentials, and sends with attachments and blind copies', async () => {
  const transport = createTransport({ SES: { sesClient: client(), SendEmailCommand } });
  expect(await transport.verify()).toBe(true);
  await transport.sendMail({
    from: testSender,
    to: 'to@nodemailer.test',
    bcc: 'hidden@nodemailer.test',
    subject: 'Grüße',
    text: 'Hello',
    attachments: [{ filename: 'a.txt', content: 'As it is' }],
    ses: { ConfigurationSetName: 'newsletter', EmailTags: [{ Name: 'order', Value: 'A17' }] },
  });
  const arrived = await PostalMime.parse((await arrivalTo('hidden@nodemailer.test')).content);
  expect(arrived).toMatchObject({ subject: 'Grüße', attachments: [{ filename: 'a.txt' }] });
  const wrong = createTransport({
    SES: { sesClient: client({ ...credentials, secretAccessKey: testApiKey }), SendEmailCommand },
  });
  expect((await refusalOf(wrong.verify())).name).toBe('SignatureDoesNotMatch');
});

itUnless(whyNo('python3', '-c', 'import boto3'))(
  'boto3 sends small and large messages, and gets the errors that it knows',
  async () => {
    const args = [`${program.url}/ses`, credentials.accessKeyId, credentials.secretAccessKey, testSender];
    const { stdout } = await promisify(execFile)('python3', ['test/support/clients/boto3-ses.py', ...args]);
    expect(JSON.parse(stdout)).toEqual({
      simple: expect.stringMatching(/^[\da-f-]{36}$/),
      large: expect.stringMatching(/^[\da-f-]{36}$/),
      enabled: true,
      elsewhere: 'MailFromDomainNotVerifiedException MailFromDomainNotVerifiedException',
      forged: 'ClientError SignatureDoesNotMatch',
    });
    expect((await PostalMime.parse((await arrivalTo('simple@boto.test')).content)).subject).toBe('Grüße');
    expect((await arrivalTo('large@boto.test')).content.length).toBeGreaterThan(500_000);
  },
);
