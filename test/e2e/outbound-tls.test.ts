import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { DnsResolver, InMemoryDnsResolver } from '#domains';
import { Adapters } from '#platform/adapters';
import { startProgram, TestProgram, testSender } from '../support/programs/program.js';
import type { ReturnedRecord } from '../support/builders/published-records.js';
import { absoluteName } from '../support/builders/published-records.js';
import { ehlo, replyAndDisconnect, ScriptedSmtpServer } from '../support/servers/scripted-smtp-server.js';
import { SmtpSink } from '../support/servers/smtp-sink.js';
import { testCertificate } from '../support/servers/test-certificate.js';
import { TlsMailServer } from '../support/servers/tls-mail-server.js';
import { until } from '../support/runner/until.js';

interface TracedRecipient {
  readonly status: string;
  readonly attempts: readonly Record<string, unknown>[];
  readonly events: readonly { readonly type: string; readonly data: unknown }[];
}

const dns = new InMemoryDnsResolver();
let plain: SmtpSink;
let encrypted: TlsMailServer;
let broken: ScriptedSmtpServer;
let program: TestProgram;

beforeAll(async () => {
  plain = await SmtpSink.listen({ host: '127.0.0.2' });
  encrypted = await TlsMailServer.listen('127.0.0.3', plain.port, testCertificate);
  broken = await ScriptedSmtpServer.listen(
    { ehlo: [ehlo('STARTTLS'), ehlo()], starttls: replyAndDisconnect('220 Go') },
    { host: '127.0.0.4', port: plain.port },
  );
  dns.set('plain.test', { a: ['127.0.0.2'] });
  dns.set('encrypted.test', { a: ['127.0.0.3'] });
  dns.set('broken.test', { a: ['127.0.0.4'] });
  program = await startProgram(
    {
      DELIVERY_TRANSPORT: 'mx',
      MX_PORT: String(plain.port),
      ALLOW_PRIVATE_DESTINATIONS: 'true',
      HELO_NAME: 'client.test',
      HOST_NAME: 'client.test',
    },
    new Adapters().use(DnsResolver, dns),
  );
});

afterAll(async () => {
  await program.stop();
  await Promise.all([plain.close(), encrypted.close(), broken.close()]);
});

async function call(method: string, path: string, body?: object): Promise<Record<string, unknown>> {
  const response = await program.request(path, {
    method,
    headers: { 'content-type': 'application/json' },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  expect(response.status).toBeLessThan(300);
  return (await response.json()) as Record<string, unknown>;
}

/** Registers, publishes and verifies a domain, as a customer does. */
async function verifiedDomain(name: string, settings: object): Promise<void> {
  dns.set('client.test', { a: ['192.0.2.1'] });
  const domain = await call('POST', '/domains', { name, ...settings });
  const zones = new Map<string, { txt: string[]; mx: { exchange: string; preference: number }[] }>();
  for (const record of domain.records as ReturnedRecord[]) {
    const zone = zones.get(absoluteName(record, name)) ?? { txt: [], mx: [] };
    if (record.type === 'TXT') zone.txt.push(record.value);
    if (record.type === 'MX') zone.mx.push({ exchange: record.value, preference: record.priority ?? 10 });
    zones.set(absoluteName(record, name), zone);
  }
  for (const [zone, records] of zones) dns.set(zone, records);
  await call('POST', `/domains/${String(domain.id)}/verify`);
  await until(async () => (await call('GET', `/domains/${String(domain.id)}`)).status === 'verified');
}

async function traceOf(from: string, to: string): Promise<TracedRecipient> {
  const { data, error } = await program.resend.emails.send({ from, to, subject: 'Hello', text: 'Hi' });
  expect(error).toBeNull();
  return until(async () => {
    const { recipients } = (await call('GET', `/emails/${data?.id}/trace`)) as { recipients?: TracedRecipient[] };
    const [recipient] = recipients ?? [];
    return recipient !== undefined && recipient.attempts.length > 0 && recipient;
  });
}

it('the trace has the TLS level of each attempt', async () => {
  expect(await traceOf(testSender, 'ann@encrypted.test')).toMatchObject({
    status: 'delivered',
    attempts: [
      {
        tls: {
          level: 'opportunistic',
          protocol: 'TLSv1.3',
          cipher: expect.stringContaining('TLS_'),
          authorized: false,
          certificate_error: 'DEPTH_ZERO_SELF_SIGNED_CERT',
          plaintext_reason: null,
          policy_failure: null,
        },
      },
    ],
  });
  expect(await traceOf(testSender, 'ann@plain.test')).toMatchObject({
    status: 'delivered',
    attempts: [{ tls: { level: 'none', plaintext_reason: 'the server does not offer STARTTLS' } }],
  });
  expect(await traceOf(testSender, 'ann@broken.test')).toMatchObject({
    status: 'delivered',
    attempts: [{ tls: { level: 'none', plaintext_reason: expect.stringContaining('TLS') } }],
  });
});

it('mail of a domain that enforces TLS bounces at once instead of being sent unencrypted', async () => {
  await verifiedDomain('strict.test', { tls: 'enforced' });
  const received = plain.count;

  expect(await traceOf('Strict <a@strict.test>', 'ann@encrypted.test')).toMatchObject({
    status: 'delivered',
    attempts: [{ tls: { level: 'opportunistic', protocol: 'TLSv1.3' } }],
  });
  const reason = 'plain.test: TLS is required and the server does not offer STARTTLS';
  expect(await traceOf('Strict <a@strict.test>', 'ann@plain.test')).toMatchObject({
    status: 'bounced',
    attempts: [{ outcome: 'bounced', host: 'plain.test', reason }],
    events: [{}, { type: 'email.bounced', data: { bounce: { message: reason } } }],
  });
  expect(plain.count).toBe(received);
  expect(await traceOf(testSender, 'ann@plain.test')).toMatchObject({ status: 'delivered' });
});
