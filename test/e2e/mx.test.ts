import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { DnsResolver, InMemoryDnsResolver } from '#domains';
import { Adapters } from '#platform/adapters';
import { Database } from '#postgres/database';
import { startProgram, TestProgram, testSender } from '../support/programs/program.js';
import { SmtpSink } from '../support/servers/smtp-sink.js';
import { until } from '../support/runner/until.js';

const dns = new InMemoryDnsResolver();
let good: SmtpSink;
let picky: SmtpSink;
let program: TestProgram;

interface Trace {
  readonly recipients: readonly {
    readonly recipient: string;
    readonly status: string;
    readonly next_attempt_at: string | null;
    readonly held_by: { readonly kind: string; readonly until: string | null; readonly reason: string } | null;
    readonly attempts: readonly Record<string, unknown>[];
    readonly events: readonly { readonly type: string; readonly data: unknown }[];
  }[];
}

beforeAll(async () => {
  good = await SmtpSink.listen({ keep: true, host: '127.0.0.2' });
  picky = await SmtpSink.listen({
    keep: true,
    host: '127.0.0.3',
    port: good.port,
    replyToRecipient: (address) => (address.startsWith('gone') ? '550 5.1.1 No such user' : '450 4.7.1 Greylisted'),
  });
  dns.set('good.test', { mx: [{ exchange: 'mx.good.test', preference: 10 }] });
  dns.set('mx.good.test', { a: ['127.0.0.2'] });
  dns.set('picky.test', { a: ['127.0.0.3'] });
  dns.set('nomail.test', { mx: [{ exchange: '', preference: 0 }] });
  dns.set('down.test', { a: ['127.0.0.9'] });
  program = await startProgram(
    {
      DELIVERY_TRANSPORT: 'mx',
      MX_PORT: String(good.port),
      ALLOW_PRIVATE_DESTINATIONS: 'true',
      HELO_NAME: 'client.test',
    },
    new Adapters().use(DnsResolver, dns),
  );
});

afterAll(async () => {
  await program.stop();
  await good.close();
  await picky.close();
});

async function sent(...to: string[]): Promise<string> {
  const { data, error } = await program.resend.emails.send({ from: testSender, to, subject: 'Hello', text: 'Hi' });
  expect(error).toBeNull();
  return data?.id ?? '';
}

/** The trace once every recipient has been tried. */
function traceOf(id: string): Promise<Trace> {
  return until(async () => {
    const trace = (await (await program.request(`/emails/${id}/trace`)).json()) as Trace;
    return trace.recipients.every(({ attempts, events }) => attempts.length > 0 && events.length > 1) && trace;
  });
}

it('the trace has the outcome of each recipient of an email', async () => {
  const id = await sent('a@good.test', 'gone@picky.test', 'later@picky.test', 'b@nomail.test');
  const trace = await traceOf(id);

  expect(trace.recipients).toMatchObject([
    {
      recipient: 'a@good.test',
      status: 'delivered',
      held_by: null,
      next_attempt_at: null,
      attempts: [
        {
          attempt: 1,
          outcome: 'delivered',
          outcome_unknown: false,
          host: 'mx.good.test',
          address: `127.0.0.2:${good.port}`,
          tls: { level: 'none', authorized: false },
          reply: { code: 250, enhanced_code: '2.0.0' },
        },
      ],
    },
    {
      recipient: 'gone@picky.test',
      status: 'bounced',
      held_by: null,
      attempts: [{ outcome: 'bounced', category: 'bad-address', reply: { code: 550, enhanced_code: '5.1.1' } }],
      events: [
        { type: 'email.sent' },
        { type: 'email.bounced', data: { bounce: { type: 'Permanent', subType: 'NoEmail' } } },
      ],
    },
    {
      recipient: 'later@picky.test',
      status: 'delayed',
      held_by: { kind: 'retry_schedule' },
      attempts: [{ outcome: 'deferred', category: 'greylisting', reply: { code: 450 } }],
      events: [{ type: 'email.sent' }, { type: 'email.delivery_delayed' }],
    },
    {
      recipient: 'b@nomail.test',
      status: 'bounced',
      attempts: [{ outcome: 'bounced', category: 'bad-address', host: null }],
    },
  ]);
});

const signatures = /^DKIM-Signature:.*\r\n(?:[ \t].*\r\n)*/gim;

it('recipients at one site get the same message, each with its own return path, over the same connections', async () => {
  dns.set('many.test', { a: ['127.0.0.2'] });
  const recipients = Array.from({ length: 20 }, (_, index) => `u${index}@many.test`);
  await traceOf(await sent(...recipients));

  const messages = good.messages.filter((message) => message.recipients[0]?.endsWith('@many.test'));
  expect(messages.map((message) => message.recipients).sort()).toEqual(recipients.map((address) => [address]).sort());
  expect(new Set(messages.map(({ mailFrom }) => mailFrom)).size).toBe(20);
  // A signature names the second in which it was made, and content that nobody sends for a moment is read and signed anew.
  const unsigned = messages.map(({ content }) => content.toString('latin1').replace(signatures, ''));
  expect(new Set(unsigned).size).toBe(1);
  expect(new Set(messages.map(({ connection }) => connection)).size).toBeLessThanOrEqual(5);
});

it('a recipient that is deferred until it expires has one delay event, and bounces with the last reply', async () => {
  const database = program.postrider.app.get(Database);
  const later = async (change: string): Promise<void> => {
    await database.execute({ text: `UPDATE outbound_queue SET ${change} WHERE address = 'patient@picky.test'` });
  };
  const id = await sent('patient@picky.test');
  const afterAttempts = (count: number) =>
    until(async () => {
      const [recipient] = (await traceOf(id)).recipients;
      return recipient?.attempts.length === count && recipient;
    });
  await afterAttempts(1);
  await later('due_at = now()');
  expect((await afterAttempts(2)).events.map(({ type }) => type)).toEqual(['email.sent', 'email.delivery_delayed']);

  await later(`due_at = now(), attempt = 12, queued_at = now() - interval '48 hours'`);
  const { status, events, attempts, next_attempt_at } = await afterAttempts(3);
  expect(status).toBe('bounced');
  expect(next_attempt_at).toBeNull();
  expect(attempts[2]).toMatchObject({ attempt: 13, outcome: 'deferred', reply: { code: 450 } });
  expect(events.map(({ type }) => type)).toEqual(['email.sent', 'email.delivery_delayed', 'email.bounced']);
  expect(events[2]?.data).toMatchObject({
    bounce: { type: 'Transient', diagnosticCode: ['smtp; 450 4.7.1 Greylisted'] },
  });
});

it('an attempt has the duration of each phase, and no handshake over an open connection', async () => {
  dns.set('timed.test', { mx: [{ exchange: 'mx.timed.test', preference: 10 }] });
  dns.set('mx.timed.test', { a: ['127.0.0.2'] });
  const timingsOf = async (id: string): Promise<unknown> => (await traceOf(id)).recipients[0]?.attempts[0]?.timings_ms;

  const first = await timingsOf(await sent('a@timed.test'));
  expect(Object.keys(first as object).sort()).toEqual(['connect', 'data', 'dns', 'ehlo', 'greeting', 'mail', 'reply']);
  const second = await timingsOf(await sent('b@timed.test'));
  expect(Object.keys(second as object).sort()).toEqual(['data', 'mail', 'reply']);
});

it('an unknown or malformed email id has no trace', async () => {
  const unknown = await program.request('/emails/01890000-0000-7000-8000-000000000001/trace');
  expect(unknown.status).toBe(404);
  expect((await program.request('/emails/x/trace')).status).toBe(422);
});

it('a site that is down gets one attempt, not one per email, and the trace of each waiting email says so', async () => {
  const ids = await Promise.all(Array.from({ length: 20 }, (_, index) => sent(`u${index}@down.test`)));
  const traces = await until(async () => {
    const all = await Promise.all(
      ids.map(async (id) => (await (await program.request(`/emails/${id}/trace`)).json()) as Trace),
    );
    const recipients = all.flatMap((trace) => trace.recipients);
    return recipients.every(({ held_by }) => held_by !== null && /paused|retry/.test(held_by.kind)) && recipients;
  });

  expect(traces.flatMap(({ attempts }) => attempts)).toHaveLength(1);
  expect(traces.filter(({ held_by }) => held_by?.kind === 'lane_paused').length).toBeGreaterThanOrEqual(19);
  expect(traces.find(({ held_by }) => held_by?.kind === 'lane_paused')?.held_by?.reason).toContain('down.test');

  const revived = await SmtpSink.listen({ keep: true, host: '127.0.0.9', port: good.port });
  const database = program.postrider.app.get(Database);
  await database.execute({ text: 'UPDATE lane_pauses SET until = now()' });
  await database.execute({ text: `UPDATE outbound_queue SET due_at = now() WHERE lane LIKE '%/mx:down.test'` });
  await until(() => revived.count === 20);
  await revived.close();
});
