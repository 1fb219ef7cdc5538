import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { DeliveryTransport, InMemoryDeliveryTransport } from '#delivery';
import { DnsResolver } from '#domains';
import { Adapters } from '#platform/adapters';
import { readConfig } from '#platform/config';
import { consult } from '../../apps/server/src/doctor/consult.js';
import { inboundDomain, inboundHost, InboundProgram } from '../support/programs/inbound-program.js';
import { SmtpSink } from '../support/servers/smtp-sink.js';

const secretKey = Buffer.alloc(32, 7).toString('base64');
let inbound: InboundProgram;

beforeAll(async () => {
  inbound = await InboundProgram.start();
});

afterAll(() => inbound.program.stop());

/** The findings of the command, as `level text`. */
async function loopBack(name: string, port = inbound.port): Promise<string[]> {
  const url = inbound.program.database.url;
  const config = readConfig({
    DATABASE_URL: url,
    SECRET_KEY: secretKey,
    DATA_DIR: '.',
    HOST_NAME: inboundHost,
    HELO_NAME: inboundHost,
    MX_PORT: String(port),
  });
  const adapters = new Adapters().use(DeliveryTransport, new InMemoryDeliveryTransport()).use(DnsResolver, inbound.dns);
  const { checks } = await consult({
    config,
    database: { url, directUrl: url },
    secretKey,
    adapters,
    loopBack: name,
  });
  return checks.flatMap(({ findings }) => findings.map(({ level, text }) => `${level} ${text}`));
}

it('follows a message to ourselves from the MX record to the verdicts about it', async () => {
  inbound.dns.set(inboundHost, { a: ['127.0.0.1'] });
  const findings = await loopBack(inboundDomain);
  expect(findings).toEqual([
    `green MX record: ${inboundHost}`,
    expect.stringMatching(/^green port \d+ of mail\.service\.test is open, connected to 127\.0\.0\.1/),
    expect.stringMatching(/^(?:green|yellow) STARTTLS: /),
    expect.stringMatching(/^green accepted: 250 /),
    expect.stringMatching(/^green arrived after \d+ ms, as [0-9a-f-]{36}$/),
    'green SPF: pass for send.acme.test',
    'green DKIM: pass for acme.test',
    'green DMARC: pass for acme.test',
  ]);
});

it('says which step failed', async () => {
  expect(await loopBack('nobody.test')).toEqual(['red nobody receives mail for nobody.test here']);
  inbound.dns.set(inboundHost, { a: ['127.0.0.1'] });
  const closed = await loopBack(inboundDomain, 1);
  expect(closed.at(-1)).toMatch(/^red no mail host could be reached on port 1: mail\.service\.test \(127\.0\.0\.1\): /);
  inbound.dns.set(inboundHost, {});
  expect((await loopBack(inboundDomain)).at(-1)).toMatch(/mail\.service\.test has no address$/);
});

it('tells a server that refuses it', async () => {
  const sink = await SmtpSink.listen({ replyToRecipient: () => '550 5.1.1 Not\u202e here' });
  inbound.dns.set(inboundHost, { a: ['127.0.0.1'] });
  expect((await loopBack(inboundDomain, sink.port)).at(-1)).toMatch(
    /^red the mail host did not take it: 550 5\.1\.1 Not/,
  );
  await sink.close();
});
