import { expect, test } from '@jest/globals';
import { SMTPServer } from 'smtp-server';
import type { AddressInfo } from 'node:net';
import { InMemoryDnsResolver } from '#domains';
import { InMemoryDeliveryTransport } from '../../libs/delivery/src/infrastructure/transport/in-memory-delivery-transport.js';
import { MxDeliveryTransport } from '../../libs/mx/src/infrastructure/mx-delivery-transport.js';
import {
  RelayDeliveryTransport,
  SandboxDeliveryTransport,
} from '../../libs/smtp-client/src/one-host-delivery-transport.js';
import { NodemailerDeliveryTransport } from '../../libs/smtp-client/src/nodemailer-delivery-transport.js';
import { outboundMessage } from '../support/builders/delivery-messages.js';
import { until } from '../support/runner/until.js';
import { SmtpSink } from '../support/servers/smtp-sink.js';
import { testCertificate } from '../support/servers/test-certificate.js';
import { describeDeliveryTransport } from './delivery-transport.contract.js';
import type { ArrivedMessage, DeliveryTransportSubject } from './delivery-transport.contract.js';

type Refusal = 'permanently' | 'temporarily';

const refusalReply = (how: Refusal | undefined): string | undefined =>
  how && (how === 'permanently' ? '550 5.1.1 No such user' : '450 4.2.1 Try again later');

describeDeliveryTransport('InMemoryDeliveryTransport', async () => {
  const transport = new InMemoryDeliveryTransport();
  return {
    transport,
    arrived: () => transport.delivered,
    refuse: (recipient, how) =>
      transport.outcomeFor(
        recipient,
        how === 'permanently' ? InMemoryDeliveryTransport.bounced('gone') : InMemoryDeliveryTransport.deferred('busy'),
      ),
    dispose: async () => undefined,
  };
});

async function overSink(
  keywords: readonly string[] | undefined,
  connect: (port: number) => DeliveryTransportSubject['transport'],
): Promise<DeliveryTransportSubject> {
  const refusals = new Map<string, Refusal>();
  const sink = await SmtpSink.listen({
    keep: true,
    keywords,
    replyToRecipient: (address) => refusalReply(refusals.get(address)),
  });
  return {
    transport: connect(sink.port),
    arrived: () => sink.messages,
    refuse: (recipient, how) => refusals.set(recipient, how),
    dispose: () => sink.close(),
  };
}

describeDeliveryTransport('SandboxDeliveryTransport', () =>
  overSink(undefined, (port) => new SandboxDeliveryTransport({ port })),
);

describeDeliveryTransport('RelayDeliveryTransport with PIPELINING', () =>
  overSink(undefined, (port) => new RelayDeliveryTransport({ host: '127.0.0.1', port, heloName: 'client.test' })),
);

describeDeliveryTransport('RelayDeliveryTransport without any extension', () =>
  overSink([], (port) => new RelayDeliveryTransport({ host: '127.0.0.1', port, heloName: 'client.test' })),
);

describeDeliveryTransport('RelayDeliveryTransport with few messages per connection', () =>
  overSink(
    undefined,
    (port) =>
      new RelayDeliveryTransport({ host: '127.0.0.1', port, heloName: 'client.test', messagesPerConnection: 3 }),
  ),
);

describeDeliveryTransport('MxDeliveryTransport', () =>
  overSink(undefined, (port) => {
    const dns = new InMemoryDnsResolver();
    dns.set('example.test', { mx: [{ exchange: 'mx.example.test', preference: 10 }] });
    dns.set('mx.example.test', { a: ['127.0.0.1'] });
    return new MxDeliveryTransport(dns, { port, heloName: 'client.test', allowPrivateDestinations: true });
  }),
);

describeDeliveryTransport('NodemailerDeliveryTransport with its SMTP transport', () =>
  overSink(undefined, (port) => {
    const options = { host: '127.0.0.1', port, ignoreTLS: true };
    return new NodemailerDeliveryTransport({ module: 'nodemailer/lib/smtp-transport', options, connections: 5 });
  }),
);

describeDeliveryTransport('NodemailerDeliveryTransport with its SMTP pool', () =>
  overSink(undefined, (port) => {
    const options = { host: '127.0.0.1', port, ignoreTLS: true, maxConnections: 3 };
    return new NodemailerDeliveryTransport({ module: 'nodemailer/lib/smtp-pool', options, connections: 5 });
  }),
);

describeDeliveryTransport('NodemailerDeliveryTransport with a module of the operator', async () => {
  const refusals = new Map<string, Refusal>();
  const arrived: ArrivedMessage[] = [];
  const options = {
    replyTo: (recipient: string) => refusalReply(refusals.get(recipient)),
    arrived: (message: ArrivedMessage) => arrived.push(message),
  };
  return {
    transport: new NodemailerDeliveryTransport({
      module: './dist/test/support/fakes/nodemailer-transport.js',
      options,
      connections: 5,
    }),
    arrived: () => arrived,
    refuse: (recipient, how) => refusals.set(recipient, how),
    dispose: async () => undefined,
  };
});

/** nodemailer's server: an independent implementation of the protocol, with TLS and authentication. */
async function overSmtpServer(implicitTls: boolean, authMethod: 'PLAIN' | 'LOGIN'): Promise<DeliveryTransportSubject> {
  const refusals = new Map<string, Refusal>();
  const arrived: ArrivedMessage[] = [];
  const server = new SMTPServer({
    ...testCertificate,
    secure: implicitTls,
    authMethods: [authMethod],
    onAuth: (auth, _session, done) =>
      auth.username === 'user' && auth.password === 'päss' ? done(null, { user: 'user' }) : done(new Error('wrong')),
    onRcptTo: ({ address }, _session, done) => {
      const how = refusals.get(address);
      done(how && Object.assign(new Error('refused'), { responseCode: how === 'permanently' ? 550 : 450 }));
    },
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope;
        arrived.push({
          mailFrom: mailFrom === false ? '' : mailFrom.address,
          recipients: rcptTo.map(({ address }) => address),
          content: Buffer.concat(chunks),
        });
        done();
      });
    },
  });
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const transport = new RelayDeliveryTransport({
    host: '127.0.0.1',
    port: (server.server.address() as AddressInfo).port,
    hostName: 'smtp.example.test',
    heloName: 'client.test',
    tls: 'required',
    tlsOptions: { ca: testCertificate.cert },
    implicitTls,
    credentials: { username: 'user', password: 'päss' },
  });
  return {
    transport,
    arrived: () => arrived,
    refuse: (recipient, how) => refusals.set(recipient, how),
    dispose: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

describeDeliveryTransport('RelayDeliveryTransport over STARTTLS with AUTH PLAIN', () => overSmtpServer(false, 'PLAIN'));

describeDeliveryTransport('RelayDeliveryTransport over implicit TLS with AUTH LOGIN', () =>
  overSmtpServer(true, 'LOGIN'),
);

test('the sandbox cannot be pointed at another machine', () => {
  expect(() => new SandboxDeliveryTransport({ host: '192.0.2.1', port: 25 })).toThrow(RangeError);
});

const nodemailer = (module: string, options: Readonly<Record<string, unknown>> = {}): NodemailerDeliveryTransport =>
  new NodemailerDeliveryTransport({ module, options, connections: 1 });
const ownModule = './dist/test/support/fakes/nodemailer-transport.js';

test.each(['html', 'subject', 'from'])(
  'a transport of Nodemailer that makes its own message from fields sends nothing: %s',
  async (readsField) => {
    const transport = nodemailer(ownModule, { readsField });
    expect(await transport.deliver(outboundMessage())).toMatchObject([
      { kind: 'deferred', reason: expect.stringContaining('only transports that send the finished one') },
    ]);
    await transport.close();
  },
);

test('mail that must be encrypted goes to no transport of Nodemailer', async () => {
  const transport = nodemailer(ownModule, { fails: new Error('was called') });
  expect(await transport.deliver({ ...outboundMessage(), tls: 'enforced' })).toMatchObject([
    { kind: 'bounced', reason: expect.stringContaining('enforces TLS') },
  ]);
  await transport.close();
});

test.each([
  ['no-such-module-of-anybody', 'cannot be loaded'],
  ['./dist/test/support/fakes/no-such-file.js', 'cannot be loaded'],
  ['nodemailer/lib/shared', 'has no send()'],
])('the module %s is refused at the start', async (module, message) => {
  const transport = nodemailer(module);
  await expect(transport.ready()).rejects.toThrow(message);
  await expect(transport.deliver(outboundMessage())).rejects.toThrow(message);
  await transport.close();
});

test('deliveries that wait for their turn are withdrawn', async () => {
  const calls: (() => void)[] = [];
  const options = { arrived: () => undefined, replyTo: () => undefined };
  const transport = nodemailer(ownModule, options);
  const held = {
    ...outboundMessage(),
    content: () => new Promise<never>((_, reject) => calls.push(() => reject(new Error('gone')))),
  };
  const first = transport.deliver(held);
  const second = transport.deliver(outboundMessage());
  transport.withdraw();
  await expect(second).rejects.toThrow('Nothing was sent');
  await until(() => calls.length > 0);
  for (const end of calls) end();
  await expect(first).rejects.toThrow('gone');
  await transport.close();
});
