import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { AwsClient } from 'aws4fetch';
import PostalMime from 'postal-mime';
import { newId } from '#kernel';
import { testApiKey, TestProgram, testSender } from '../support/programs/program.js';
import {
  addWelcomeTemplate,
  exchange,
  SesKey,
  sesKeyOf,
  startWires,
  WiresProgram,
} from '../support/programs/wires-program.js';
import { itUnless, whyNo } from '../support/runner/unless.js';

/** Version 1 of Amazon SES: its client in Python, unchanged, and requests that no client makes. */

let wires: WiresProgram;
let program: TestProgram;
let credentials: SesKey;
let sending: SesKey;
let theirs: SesKey;

interface Answer {
  readonly status: number;
  readonly type: string | null;
  readonly text: string;
  /** Undefined: it is no error. */
  readonly code: string | undefined;
}

async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text();
  const [, code] = /<Code>(.*)<\/Code>/.exec(text) ?? [];
  return { status: response.status, type: response.headers.get('content-type'), text, code };
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

interface Posting {
  readonly given?: SesKey;
  readonly path?: string;
  /** Sends the hash of the body, as some clients do. */
  readonly claims?: boolean;
  /** Another body than the one that was signed. */
  readonly sent?: string;
}

async function post(body: string, posting: Posting = {}): Promise<Answer> {
  const { given = credentials, path = '/ses/', claims = false, sent = body } = posting;
  const signer = new AwsClient({ ...given, service: 'ses', region: 'eu-central-1' });
  const headers = {
    'content-type': 'application/x-www-form-urlencoded; charset=utf-8',
    ...(claims ? { 'x-amz-content-sha256': sha256(body) } : {}),
  };
  const signed = await signer.sign(`${program.url}${path}`, { method: 'POST', headers, body });
  return answerOf(
    await fetch(`${program.url}${path}`, { method: 'POST', headers: signed.headers, body: sent, redirect: 'manual' }),
  );
}

const form = (action: string, fields: Record<string, string> = {}): string =>
  new URLSearchParams({ Action: action, Version: '2010-12-01', ...fields }).toString();

const email = (to: string, more: Record<string, string> = {}): string =>
  form('SendEmail', {
    Source: testSender,
    'Destination.ToAddresses.member.1': to,
    'Message.Subject.Data': 'Hello',
    'Message.Body.Text.Data': 'Hello',
    ...more,
  });

function members(name: string, count: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, at) => [`${name}.member.${at + 1}`, `m${at}@ses1.test`]));
}

const templateFields = {
  Source: testSender,
  'Destination.ToAddresses.member.1': 'a@ses1.test',
  Template: 'welcome',
  TemplateData: '{}',
};

function templated(data: string): string {
  return form('SendTemplatedEmail', { ...templateFields, TemplateData: data });
}

beforeAll(async () => {
  wires = await startWires('ses', 'ses=email.ses.test');
  ({ program } = wires);
  await addWelcomeTemplate(program, testSender);
  credentials = await sesKeyOf(program, testApiKey);
  const key = await program.resend.apiKeys.create({ name: 'Sending', permission: 'sending_access' });
  sending = await sesKeyOf(program, testApiKey, key.data?.id);
  theirs = await sesKeyOf(program, wires.second.apiKey);
});

afterAll(() => wires.stop());

itUnless(whyNo('python3', '-c', 'import boto3'))('boto3 sends, reads, and gets the errors that it knows', async () => {
  const { stdout } = await promisify(execFile)('python3', [
    'test/support/clients/boto3-ses-v1.py',
    ...[`${program.url}/ses`, credentials.accessKeyId, credentials.secretAccessKey],
    ...[sending.accessKeyId, sending.secretAccessKey, testSender],
  ]);
  const id = expect.stringMatching(/^[\da-f-]{36}$/) as unknown;
  const told = JSON.parse(stdout) as { simple: string };
  expect(told).toEqual({
    simple: id,
    raw: id,
    templated: id,
    bulk: ['Success', 'Success', 'MessageRejected'],
    quota: { Max24HourSend: -1, MaxSendRate: expect.any(Number), SentLast24Hours: 2 },
    enabled: true,
    identities: ['sandbox.postrider.test'],
    addresses: [],
    verification: { 'sandbox.postrider.test': { VerificationStatus: 'Success' } },
    refused: {
      elsewhere: 'MessageRejected MessageRejected',
      forged: 'ClientError SignatureDoesNotMatch',
      stranger: 'ClientError InvalidClientTokenId',
      template: 'TemplateDoesNotExistException TemplateDoesNotExist',
      'return path': 'ClientError InvalidParameterValue',
      verify: 'ClientError InvalidAction',
      statistics: 'ClientError InvalidAction',
      'read by a sending key': 'ClientError AccessDenied',
      'identities of a sending key': 'ClientError AccessDenied',
    },
  });
  expect((await program.resend.emails.get(told.simple)).data).toMatchObject({
    cc: ['copy@botov1.test'],
    reply_to: ['reply@botov1.test'],
    tags: [
      { name: 'configuration-set', value: 'newsletter' },
      { name: 'order', value: 'A17' },
    ],
  });
  const parsed = async (address: string) => PostalMime.parse((await wires.arrivalTo(address)).content);
  expect(await parsed('simple@botov1.test')).toMatchObject({
    subject: 'Grüße & <mehr>',
    text: expect.stringContaining('1 + 1 = 2 & 100 %'),
    html: expect.stringContaining('<p>Hello &amp; ü</p>'),
  });
  expect((await wires.arrivalTo('hidden@botov1.test')).content.length).toBeGreaterThan(5_000_000);
  expect((await parsed('templated@botov1.test')).subject).toBe('Welcome Ada');
  expect([(await parsed('one@botov1.test')).subject, (await parsed('two@botov1.test')).subject]).toEqual([
    'Welcome Ada',
    'Welcome friend',
  ]);
});

it('is at the base address, with and without a slash, and at a host of its own', async () => {
  for (const path of ['/ses', '/ses/']) {
    for (const claims of [false, true]) {
      const answer = await post(email('path@ses1.test'), { path, claims });
      expect(answer).toMatchObject({ status: 200, type: 'text/xml; charset=utf-8' });
      expect(answer.text).toMatch(
        /^<SendEmailResponse xmlns="[^"]+"><SendEmailResult><MessageId>[\da-f-]{36}<\/MessageId><\/SendEmailResult><ResponseMetadata><RequestId>[\da-f-]{36}<\/RequestId><\/ResponseMetadata><\/SendEmailResponse>$/,
      );
    }
  }
  const body = email('host@ses1.test');
  const signer = new AwsClient({ ...credentials, service: 'ses', region: 'eu-central-1' });
  const headers = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': String(body.length) };
  const signed = await signer.sign('http://email.ses.test/', { method: 'POST', headers, body });
  const sent = { ...Object.fromEntries(signed.headers), host: 'email.ses.test' };
  expect((await exchange(program.url, { method: 'POST', path: '/', headers: sent }, body)).status).toBe(200);
});

it('refuses another body than the one that was signed, and a secret that is wrong', async () => {
  const body = email('first@ses1.test');
  const other = body.replace('first', 'other');
  expect((await post(body, { sent: other })).code).toBe('SignatureDoesNotMatch');
  expect((await post(body, { sent: other, claims: true })).code).toBe('SignatureDoesNotMatch');
  const wrong = { ...credentials, secretAccessKey: theirs.secretAccessKey };
  expect((await post(body, { given: wrong })).code).toBe('SignatureDoesNotMatch');
  expect((await post(body, { given: wrong, claims: true })).code).toBe('SignatureDoesNotMatch');
  const large = email('large@ses1.test', { 'Message.Body.Html.Data': 'a'.repeat(2_000_000) });
  expect((await post(large)).status).toBe(200);
  expect((await post(large, { sent: large.replace('large', 'other') })).code).toBe('SignatureDoesNotMatch');
  expect((await post(large, { given: { ...wrong, accessKeyId: newId() } })).code).toBe('SignatureDoesNotMatch');
  const unsigned = await answerOf(
    await fetch(`${program.url}/ses/`, { method: 'POST', body: new URLSearchParams(body) }),
  );
  expect(unsigned).toMatchObject({ status: 403, code: 'InvalidClientTokenId' });
});

it.each([
  ['no action', 'Version=2010-12-01', 'MissingAction'],
  ['nothing', '', 'MissingAction'],
  ['another version', 'Action=SendEmail&Version=2011-01-01', 'NoSuchVersion'],
  ['an action of objects', form('constructor'), 'InvalidAction'],
  ['an action of nobody', form('Send<Email>&'), 'InvalidAction'],
  ['an action twice', 'Action=SendEmail&Action=GetSendQuota', 'InvalidParameterValue'],
  ['no source', form('SendEmail', { 'Message.Subject.Data': 'x' }), 'InvalidParameterValue'],
  ['a member of no list', email('a@ses1.test', { 'Source.member.1': 'x' }), 'InvalidParameterValue'],
  ['a huge number', email('a@ses1.test', { 'Tags.member.999999999.Name': 'x' }), 'InvalidParameterValue'],
  ['a number of 0', email('a@ses1.test', { 'Destination.ToAddresses.member.0': 'x' }), 'InvalidParameterValue'],
  ['brackets', email('a@ses1.test', { 'Destination.ToAddresses[]': 'x' }), 'InvalidParameterValue'],
  [
    'a prototype',
    email('a@ses1.test', { '__proto__.x': 'x', 'constructor.prototype.x': 'x' }),
    'InvalidParameterValue',
  ],
  ['an address twice', `${email('a@ses1.test')}&Source=b%40ses1.test`, 'InvalidParameterValue'],
  ['a long name', `${email('a@ses1.test')}&${'a.'.repeat(100_000)}=1`, 'InvalidParameterValue'],
  ['NUL', email('a@ses1.test', { 'Message.Body.Text.Data': 'a\0b' }), 'InvalidParameterValue'],
  ['another charset', email('a@ses1.test', { 'Message.Subject.Charset': 'UTF-16' }), 'InvalidParameterValue'],
  ['an identity by ARN', email('a@ses1.test', { SourceArn: 'arn:x' }), 'InvalidParameterValue'],
  ['no base64', form('SendRawEmail', { 'RawMessage.Data': 'ü' }), 'InvalidParameterValue'],
  ['data of a template that is no JSON', templated('{'), 'InvalidParameterValue'],
  ['51 recipients', email('a@ses1.test', members('Destination.ToAddresses', 51)), 'InvalidParameterValue'],
  ['thousands of parameters', email('a@ses1.test', members('Tags', 9_000)), 'InvalidParameterValue'],
  [
    'a form that is too large',
    email('a@ses1.test', { 'Message.Body.Text.Data': 'a'.repeat(17_000_000) }),
    'MessageRejected',
  ],
])('refuses %s as a fault of the sender', async (_, body, code) => {
  const answer = await post(body);
  expect(answer).toMatchObject({ status: 400, type: 'text/xml; charset=utf-8', code });
  expect(answer.text).toMatch(
    /^<ErrorResponse xmlns="[^"]+"><Error><Type>Sender<\/Type><Code>\w+<\/Code><Message>[^<>]+<\/Message><\/Error><RequestId>[\da-f-]{36}<\/RequestId><\/ErrorResponse>$/,
  );
});

it('what is not percent-encoded as it should be is taken literally, and members in the order of their numbers', async () => {
  const members = '&Destination.ToAddresses.member.10=c%40ses1.test&Destination.ToAddresses.member.9=b%40ses1.test';
  const odd = '&ConfigurationSetName=&Tags.member.7.Name=odd&Tags.member.7.Value=100%&=';
  const { text } = await post(email('a@ses1.test') + members + odd);
  const [, id = ''] = /<MessageId>(.*)<\/MessageId>/.exec(text) ?? [];
  expect((await program.resend.emails.get(id)).data).toMatchObject({
    to: ['a@ses1.test', 'b@ses1.test', 'c@ses1.test'],
    tags: [{ name: 'odd', value: `b64_${Buffer.from('100%').toString('base64url')}` }],
  });
});

it('characters that XML cannot have do not come into an error', async () => {
  const { text } = await post(form('a<b>&"\u0001\uFFFF😀'));
  expect(text).toContain('<Message>`a&lt;b&gt;&amp;"\uFFFD\uFFFD😀` has no counterpart');
});

it('keys act in their own team alone', async () => {
  expect((await post(form('ListIdentities'), { given: theirs })).text).toContain('<Identities></Identities>');
  expect((await post(email('a@ses1.test'), { given: theirs })).code).toBe('MessageRejected');
  expect((await post(form('SendTemplatedEmail', templateFields), { given: theirs })).code).toBe('TemplateDoesNotExist');
  const asked = form('GetIdentityVerificationAttributes', { 'Identities.member.1': 'sandbox.postrider.test' });
  expect((await post(asked, { given: theirs })).text).toContain('<VerificationAttributes></VerificationAttributes>');
  expect((await post(asked, { given: sending })).code).toBe('AccessDenied');
});

it('takes forms at this one address, and nothing else there', async () => {
  expect((await post(form('SendEmail'), { path: '/ses/v2/email/outbound-emails' })).status).toBe(400);
  expect(await answerOf(await fetch(`${program.url}/ses?Action=SendEmail`))).toMatchObject({ status: 405 });
  const headers = { 'content-type': 'application/json' };
  const json = await answerOf(await fetch(`${program.url}/ses`, { method: 'POST', headers, body: '{}' }));
  expect(json).toMatchObject({ status: 403, code: 'InvalidClientTokenId' });
});
