import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { DeliveryTransport, InMemoryDeliveryTransport } from '#delivery';
import { DnsResolver, InMemoryDnsResolver } from '#domains';
import { InMemoryMessageStore, MessageStore } from '#emails';
import { Adapters } from '#platform/adapters';
import { Database } from '#postgres/database';
import { startProgram, testSender, TestProgram } from '../support/programs/program.js';
import { until } from '../support/runner/until.js';

const transport = new InMemoryDeliveryTransport();
const dns = new InMemoryDnsResolver();
let program: TestProgram;

beforeAll(async () => {
  const adapters = new Adapters()
    .use(DeliveryTransport, transport)
    .use(DnsResolver, dns)
    .use(MessageStore, new InMemoryMessageStore());
  program = await startProgram({}, adapters);
});

afterAll(() => program.stop());

it('the program runs on the transport, the resolver and the store that it is given', async () => {
  dns.set('asked.test', { txt: ['found in memory'] });
  expect(await program.postrider.app.get(DnsResolver, { strict: false }).txt('asked.test')).toEqual([
    'found in memory',
  ]);

  const { data } = await program.resend.emails.send({
    from: testSender,
    to: 'ann@sink.test',
    subject: 'In memory',
    html: '<p>Kept in memory</p>',
  });
  const message = await until(() => transport.delivered.find(({ emailId }) => emailId === data?.id));
  expect(message.recipients).toEqual(['ann@sink.test']);
  expect(Buffer.from(message.content).toString()).toContain('Kept in memory');

  const stored = await program.postrider.app.get(Database).query({ text: 'SELECT 1 FROM message_contents' });
  expect(stored).toEqual([]);
  expect((await program.resend.emails.get(data?.id ?? '')).data?.html).toBe('<p>Kept in memory</p>');
});

it('a transport that shares transactions gets all recipients of an email in a lane in one transaction', async () => {
  class SharingTransport extends InMemoryDeliveryTransport {
    override readonly sharesTransactions = true;
  }
  const sharing = new SharingTransport();
  const other = await startProgram({}, new Adapters().use(DeliveryTransport, sharing).use(DnsResolver, dns));
  try {
    const to = ['ann@sink.test', 'bob@sink.test', 'cy@sink.test'];
    await other.resend.emails.send({ from: testSender, to, subject: 'Shared', text: 'x' });
    const [message] = await until(() => sharing.delivered.length > 0 && sharing.delivered);
    expect(message?.recipients).toEqual(to);
    expect(sharing.delivered).toHaveLength(1);
  } finally {
    await other.stop();
  }
});

it('a temporary refusal adds an event and is tried again, a permanent one is final', async () => {
  transport.outcomeFor('later@sink.test', InMemoryDeliveryTransport.deferred('Mailbox full'));
  transport.outcomeFor('never@sink.test', InMemoryDeliveryTransport.bounced('No such user'));
  const { data } = await program.resend.emails.send({
    from: testSender,
    to: ['later@sink.test', 'never@sink.test'],
    subject: 'Refused',
    text: 'x',
  });
  const waiting = await until(async () => {
    const [row] = await program.postrider.app.get(Database).query<{ attempt: number; ahead: boolean }>({
      text: `SELECT attempt, due_at > now() + interval '30 seconds' AS ahead FROM outbound_queue
             WHERE email_id = $1 AND worker_id IS NULL AND attempt > 0`,
      values: [data?.id],
    });
    return row;
  });
  expect(waiting).toEqual({ attempt: 1, ahead: true });
  const response = await program.request(`/emails/${data?.id}/events`);
  const { data: events } = (await response.json()) as { data: { type: string; recipient: string }[] };
  expect(events.slice(2).map(({ type, recipient }) => [type, recipient])).toEqual(
    expect.arrayContaining([
      ['email.delivery_delayed', 'later@sink.test'],
      ['email.bounced', 'never@sink.test'],
    ]),
  );

  transport.outcomeFor('later@sink.test');
  await program.postrider.app.get(Database).execute({ text: 'UPDATE outbound_queue SET due_at = now()' });
  await until(() => transport.delivered.some(({ recipients }) => recipients.includes('later@sink.test')));
});

it('a program without the worker role starts with the adapters that its workers use', async () => {
  const other = await startProgram({ ROLES: 'api' }, new Adapters().use(DeliveryTransport, transport));
  await other.stop();
});
