import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createTransport, type Transporter } from 'nodemailer';
import PostalMime from 'postal-mime';
import { testApiKey, testSender } from '../support/programs/program.js';
import { refusalOf, startWires, WiresProgram } from '../support/programs/wires-program.js';

/** Messages over SMTP whose fields were written for other providers. */

let wires: WiresProgram;
let client: Transporter;

beforeAll(async () => {
  wires = await startWires('mailgun,postmark,sendgrid,ses', '', '127.0.0.1:0');
  client = clientOf(wires);
});

afterAll(async () => {
  client.close();
  await wires.stop();
});

function clientOf({ program }: WiresProgram): Transporter {
  const [listening] = program.postrider.smtp.listening;
  const auth = { user: 'resend', pass: testApiKey };
  return createTransport({ host: '127.0.0.1', port: listening?.port, auth, tls: { rejectUnauthorized: false } });
}

type Headers = Record<string, string | readonly string[]>;

async function send(headers: Headers, to: string, over = client): Promise<void> {
  const prepared = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, { prepared: true, value } as never]),
  );
  await over.sendMail({ from: testSender, to, subject: 'Ordered', text: 'Thank you', headers: prepared });
}

interface Stored {
  readonly tags: readonly { readonly name: string; readonly value: string }[] | null;
  readonly scheduled_at: string | null;
  readonly to: readonly string[];
}

async function storedOf({ program }: WiresProgram, to: string): Promise<Stored> {
  const list = (await (await program.request('/emails')).json()) as { data: (Stored & { id: string })[] };
  const id = list.data.find((email) => email.to.includes(to))?.id;
  return (await (await program.request(`/emails/${id}`)).json()) as Stored;
}

const encoded = (text: string): string => `b64_${Buffer.from(text).toString('base64url')}`;

it.each<[string, Headers, Record<string, string>]>([
  [
    'Postmark',
    {
      'X-PM-Tag': 'order mails',
      'X-PM-Metadata-plan': 'pro',
      'X-PM-Message-Stream': 'receipts',
      'X-PM-TrackOpens': 'false',
    },
    { tag: encoded('order mails'), plan: 'pro', stream: 'receipts' },
  ],
  [
    'Mailgun',
    { 'X-Mailgun-Tag': 'orders', 'X-Mailgun-Variables': '{"order": 17, "plan": "pro"}', 'X-Mailgun-Track': 'no' },
    { tag: 'orders', order: '17', plan: 'pro' },
  ],
  [
    'SendGrid',
    {
      'X-SMTPAPI': JSON.stringify({
        category: ['orders'],
        unique_args: { plan: 'pro' },
        filters: { clicktrack: { settings: { enable: 0 } } },
      }),
    },
    { category: 'orders', plan: 'pro' },
  ],
  [
    'SES',
    { 'X-SES-MESSAGE-TAGS': 'plan=pro, order=17', 'X-SES-CONFIGURATION-SET': 'receipts' },
    { plan: 'pro', order: '17', 'configuration-set': 'receipts' },
  ],
])('those of %s become tags, and no recipient reads them', async (provider, headers, tags) => {
  const to = `${provider.toLowerCase()}@sink.test`;
  await send({ ...headers, 'X-Mailgun-Sid': 'WyI0', 'X-Order': '17' }, to);
  const mail = await PostalMime.parse((await wires.arrivalTo(to)).content);
  const names = mail.headers.map(({ key }) => key);
  expect(names).toEqual(expect.arrayContaining(['x-order', 'x-mailgun-sid']));
  for (const name of Object.keys(headers)) expect(names).not.toContain(name.toLowerCase());
  const stored = await storedOf(wires, to);
  expect(Object.fromEntries((stored.tags ?? []).map(({ name, value }) => [name, value]))).toEqual(tags);
});

it('schedules', async () => {
  const at = new Date(Math.floor(Date.now() / 1_000) * 1_000 + 3_600_000);
  await send({ 'X-Mailgun-Deliver-By': at.toUTCString() }, 'later@mailgun.test');
  await send({ 'X-SMTPAPI': JSON.stringify({ send_at: at.getTime() / 1_000 }) }, 'later@sendgrid.test');
  for (const to of ['later@mailgun.test', 'later@sendgrid.test']) {
    expect(new Date((await storedOf(wires, to)).scheduled_at ?? '')).toEqual(at);
  }
});

it.each<[string, Headers, RegExp]>([
  ['recipients', { 'X-SMTPAPI': '{"to": ["a@b.test"]}' }, /`X-SMTPAPI\.to` has no counterpart/],
  [
    'filters',
    { 'X-SMTPAPI': '{"filters": {"bcc": {"settings": {"enable": 1}}}}' },
    /`filters\.bcc` has no counterpart/,
  ],
  [
    'filters by names of JavaScript',
    { 'X-SMTPAPI': '{"filters": {"constructor": {"settings": {"enable": 1}}}}' },
    /`filters\.constructor` has/,
  ],
  ['what nobody knows', { 'X-SMTPAPI': '{"mystery": 1}' }, /`X-SMTPAPI\.mystery` has no counterpart/],
  ['a word', { 'X-Mailgun-Track': 'maybe' }, /`x-mailgun-track` must be/],
  ['JSON', { 'X-SMTPAPI': '{' }, /`X-SMTPAPI` must be a JSON object/],
  ['variables', { 'X-Mailgun-Recipient-Variables': '{}' }, /`x-mailgun-recipient-variables` has no counterpart/],
  ['a time', { 'X-Mailgun-Deliver-By': 'soon' }, /must be a date/],
  ['tags', { 'X-SES-MESSAGE-TAGS': 'plan' }, /must look like `name=value/],
  ['a choice', { 'X-PM-TrackOpens': 'maybe' }, /`X-PM-TrackOpens` must be `true` or `false`/],
])('refuses by name: %s', async (_, headers, text) => {
  expect(await refusalOf(send(headers, 'refused@sink.test'))).toMatchObject({
    responseCode: 550,
    response: expect.stringMatching(text),
  });
});

it('gives them no meaning where the wire is off', async () => {
  const other = await startWires('ses', '', '127.0.0.1:0');
  const over = clientOf(other);
  try {
    await send({ 'X-PM-Tag': 'orders', 'X-SMTPAPI': '{"to": ["a@b.test"]}' }, 'plain@sink.test', over);
    await other.arrivalTo('plain@sink.test');
    expect((await storedOf(other, 'plain@sink.test')).tags ?? []).toEqual([]);
  } finally {
    over.close();
    await other.stop();
  }
});
