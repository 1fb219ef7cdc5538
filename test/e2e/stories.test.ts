import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { publishRecords, ReturnedRecord } from '../support/builders/published-records.js';
import { SmtpDialogue } from '../support/clients/smtp-dialogue.js';
import { testApiKey, testEnvironment, testSender } from '../support/programs/program.js';
import { startTracedProgram, TracedProgram } from '../support/programs/traced-program.js';
import { until } from '../support/runner/until.js';
import { DnsServer } from '../support/servers/dns-server.js';
import { SmtpSink } from '../support/servers/smtp-sink.js';
import { createTestDatabase, TestDatabase } from '../support/servers/test-database.js';
import { WebhookReceiver } from '../support/servers/webhook-receiver.js';

const mailHost = '127.0.0.2';
let database: TestDatabase;
let dns: DnsServer;
let sink: SmtpSink;
let receiver: WebhookReceiver;
let directory: string;
/** A domain that sends and receives. */
const domain = 'acme.test';
let program: TracedProgram;
/** What runs although nobody asks for anything. */
let idle: readonly string[];

beforeAll(async () => {
  [database, dns, sink, receiver, directory] = await Promise.all([
    createTestDatabase(),
    DnsServer.listen(),
    SmtpSink.listen({ keep: true, host: mailHost }),
    WebhookReceiver.listen(),
    mkdtemp(join(tmpdir(), 'postrider-stories-')),
  ]);
  dns.mx('good.test', [10, 'mx.good.test']).a('mx.good.test', mailHost);
  const environment = {
    ...testEnvironment(database, directory),
    DELIVERY_TRANSPORT: 'mx',
    MX_PORT: String(sink.port),
    ALLOW_PRIVATE_DESTINATIONS: 'true',
    DNS_SERVERS: dns.address,
    HELO_NAME: 'client.test',
    HOST_NAME: 'mail.service.test',
    SMTP_LISTEN: '127.0.0.1:0+mx',
  };
  program = await startTracedProgram(environment, directory);
  await post('/webhooks', { endpoint: receiver.url, events: ['email.delivered', 'email.received'] });
  await addDomain();
  await sendEmail();
  await program.filesCalled();
  await delay(3_000);
  // Runs once a second while a lane is open, which may have closed before.
  const reports = 'libs/delivery/src/application/lane-reports.ts';
  idle = [...(await program.filesCalled()), reports];
});

afterAll(async () => {
  await program.stop();
  await Promise.all([dns.close(), sink.close(), receiver.close(), rm(directory, { recursive: true, force: true })]);
  await database.drop();
});

const headers = { authorization: `Bearer ${testApiKey}` };

async function post(path: string, body: object): Promise<Record<string, unknown>> {
  const json = {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  };
  return answerTo(path, json);
}

async function answerTo(path: string, init: RequestInit = { headers }): Promise<Record<string, unknown>> {
  const response = await fetch(`${program.url}${path}`, init);
  if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
  return (await response.json()) as Record<string, unknown>;
}

async function addDomain(): Promise<void> {
  const capabilities = { sending: 'enabled', receiving: 'enabled' };
  const { id, records } = await post('/domains', { name: domain, capabilities });
  publishRecords(dns, domain, records as ReturnedRecord[]);
  await post(`/domains/${String(id)}/verify`, {});
  await until(async () => (await answerTo(`/domains/${String(id)}`)).status === 'verified');
}

/** Sends an email and waits for the webhook that says that it was delivered. */
async function sendEmail(): Promise<void> {
  const before = receiver.ofType('email.delivered').length;
  await post('/emails', { from: testSender, to: 'ann@good.test', subject: 'Hello', text: 'Hello, Ann!' });
  await until(() => receiver.ofType('email.delivered').length > before);
}

async function sendBroadcast(): Promise<void> {
  const { id: segmentId } = await post('/segments', { name: 'Everybody' });
  await post('/contacts', { email: 'ann@good.test', segments: [{ id: segmentId }] });
  const content = { subject: 'News', text: 'Hello {{{RESEND_UNSUBSCRIBE_URL}}}' };
  await program.filesCalled();
  const { id } = await post('/broadcasts', { segment_id: segmentId, from: testSender, ...content, send: true });
  await until(async () => (await answerTo(`/broadcasts/${String(id)}`)).status === 'sent');
}

async function receive(): Promise<void> {
  const before = receiver.ofType('email.received').length;
  const client = await SmtpDialogue.open(program.smtpPorts[0] as number);
  for (const command of ['EHLO mx.customer.test', 'MAIL FROM:<eve@good.test>', `RCPT TO:<support@${domain}>`, 'DATA']) {
    expect(await client.ask(command)).toMatch(/^[23]/);
  }
  client.send('From: eve@good.test\r\nSubject: Help\r\n\r\nPlease help.\r\n.\r\n');
  expect(await client.reply()).toMatch(/^250/);
  client.drop();
  await until(() => receiver.ofType('email.received').length > before);
}

async function importContacts(): Promise<void> {
  const form = new FormData();
  form.append('file', new Blob(['email,first_name\r\nbob@good.test,Bob\r\n'], { type: 'text/csv' }), 'contacts.csv');
  const { id } = await answerTo('/contacts/imports', { method: 'POST', headers, body: form });
  await until(async () => (await answerTo(`/contacts/imports/${String(id)}`)).status === 'completed');
}

interface Story {
  readonly title: string;
  readonly files: readonly string[];
}

const house = (await import(pathToFileURL(resolve('scripts/house.mjs')).href)) as { stories(): readonly Story[] };
const told = house.stories();
const filesOf = (titles: readonly string[]): string[] =>
  told.filter(({ title }) => titles.includes(title)).flatMap(({ files }) => files);

const lived: [titles: readonly string[], libs: RegExp, live: () => Promise<void>][] = [
  [
    ['An email is accepted', 'An email is delivered', 'A webhook is called'],
    /^libs\/(?:emails|delivery|webhooks)\//,
    sendEmail,
  ],
  [
    ['A broadcast is sent', 'An email is accepted', 'An email is delivered', 'A webhook is called'],
    /^libs\/broadcasts\//,
    sendBroadcast,
  ],
  [['Mail is received', 'A webhook is called'], /^libs\/inbound\//, receive],
  [['Contacts are imported'], /^libs\/contact-imports\//, importContacts],
];

// The steps are the files of application layers. Queries are left out: this test asks them itself.
it.each(lived)('names each step that runs: %s', async (titles, libs, live) => {
  await program.filesCalled();
  await live();
  const called = (await program.filesCalled()).filter((file) => !idle.includes(file));
  const steps = called.filter((file) => libs.test(file) && /\/application\/(?!ports\/)(?!.*\.query\.ts$)/.test(file));
  const named = filesOf(titles);
  expect(steps.filter((file) => !named.includes(file))).toEqual([]);
});
