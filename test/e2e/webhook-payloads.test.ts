import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { DeliveryOutcome, InMemoryDeliveryTransport } from '#delivery';
import { Database } from '#postgres/database';
import { testSender } from '../support/programs/program.js';
import { until } from '../support/runner/until.js';
import { ReceivedCall, WebhookReceiver } from '../support/servers/webhook-receiver.js';
import { startWebhooksProgram, WebhooksProgram } from '../support/programs/webhooks-program.js';

let program: WebhooksProgram;
let receiver: WebhookReceiver;

const types = [
  'email.sent',
  'email.scheduled',
  'email.delivered',
  'email.delivery_delayed',
  'email.bounced',
  'email.complained',
  'email.opened',
  'email.clicked',
  'email.failed',
  'email.suppressed',
  'domain.created',
  'domain.updated',
  'domain.deleted',
  'suppression.added',
  'suppression.removed',
];

beforeAll(async () => {
  program = await startWebhooksProgram();
  receiver = await WebhookReceiver.listen();
  await program.addWebhook(receiver.url, types);
});

afterAll(async () => {
  await program.stop();
  await receiver.close();
});

const iso = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

/** The first call of this type whose body contains this email, address or domain. */
const callFor = (type: string, of: string): Promise<ReceivedCall> =>
  until(() => receiver.ofType(type).find(({ body }) => body.includes(of)));

/** The common part of the contract's section 22.4. */
const common = (emailId: string, to: string[]): object => ({
  email_id: emailId,
  created_at: iso,
  message_id: expect.stringMatching(/^<[^@]+@[^@]+>$/),
  from: testSender,
  to,
  subject: 'Hello',
});

async function expectPayload(type: string, emailId: string, to: string[], sequence: number, added = {}): Promise<void> {
  const { payload } = await callFor(type, emailId);
  expect(payload).toEqual({ type, created_at: iso, sequence, data: { ...common(emailId, to), ...added } });
}

/** Writes an event as the code for opens, clicks and reports does. */
async function writeEvent(emailId: string, type: string, data: object | null): Promise<void> {
  const database = program.postrider.app.get(Database);
  await database.execute({
    text: `WITH counted AS (UPDATE emails SET event_seq = event_seq + 1 WHERE id = $1 RETURNING id, event_seq)
           INSERT INTO email_events (email_id, seq, recipient_no, created_at, type, data)
           SELECT id, event_seq, 0, now(), $2, $3 FROM counted`,
    values: [emailId, type, data],
  });
}

it('email.sent and email.delivered come once for each recipient, with tags as a map and headers as a list', async () => {
  const emailId = await program.send(['ann@inbox.test', 'Bob <bob@inbox.test>'], {
    tags: [{ name: 'kind', value: 'receipt' }],
    headers: { 'X-Order': '17' },
  });
  const ofEmail = (type: string): ReceivedCall[] =>
    receiver.ofType(type).filter(({ payload }) => payload.data.email_id === emailId);
  await until(() => ofEmail('email.sent').length + ofEmail('email.delivered').length === 4);
  for (const type of ['email.sent', 'email.delivered']) {
    const payloads = ofEmail(type).map(({ payload }) => payload);
    for (const { data } of payloads) {
      const added = { tags: { kind: 'receipt' }, headers: [{ name: 'X-Order', value: '17' }] };
      expect(data).toEqual({ ...common(emailId, data.to), ...added });
    }
    expect(payloads.map(({ data }) => data.to as string[]).sort()).toEqual([['ann@inbox.test'], ['bob@inbox.test']]);
  }
  const numbers = [...ofEmail('email.sent'), ...ofEmail('email.delivered')].map(({ payload }) => payload.sequence);
  expect(numbers.sort()).toEqual([1, 2, 3, 4]);
});

it('webhooks of an email that was made from a template name the template, those of others have no such key', async () => {
  const { resend } = program;
  const made = await resend.templates.create({ name: 'Greeting', subject: 'Hello', html: '<p>Hi</p>' }).publish();
  const template_id = made.data?.id ?? '';
  const template = { id: template_id };
  const soon = { scheduled_at: new Date(Date.now() + 3_600_000).toISOString() };
  const now = await program.sendBody({ from: testSender, to: 'ann@inbox.test', template });
  await expectPayload('email.delivered', now, ['ann@inbox.test'], 2, { template_id });
  const later = await program.sendBody({ from: testSender, to: 'ann@inbox.test', template, ...soon });
  await expectPayload('email.scheduled', later, ['ann@inbox.test'], 1, { template_id });
});

it('email.scheduled comes once, and email.canceled, which no client knows, never', async () => {
  const scheduled_at = new Date(Date.now() + 3_600_000).toISOString();
  const emailId = await program.send(['ann@inbox.test', 'bob@inbox.test'], { scheduled_at });
  await expectPayload('email.scheduled', emailId, ['ann@inbox.test', 'bob@inbox.test'], 1);
  await program.resend.emails.cancel(emailId);
  const later = await program.send('ann@inbox.test');
  await callFor('email.delivered', later);
  expect(receiver.calls.filter(({ payload }) => payload.data.email_id === emailId)).toHaveLength(1);
});

it('email.delivery_delayed adds nothing', async () => {
  program.transport.outcomeFor('busy@inbox.test', InMemoryDeliveryTransport.deferred('greylisted'));
  await expectPayload('email.delivery_delayed', await program.send('busy@inbox.test'), ['busy@inbox.test'], 2);
});

it('email.bounced adds the reply of the receiving server', async () => {
  program.transport.outcomeFor('full@inbox.test', InMemoryDeliveryTransport.bounced('not today'));
  const bounce = {
    message: 'not today',
    type: 'Permanent',
    subType: 'General',
    diagnosticCode: ['smtp; 550 5.0.0 not today'],
  };
  await expectPayload('email.bounced', await program.send('full@inbox.test'), ['full@inbox.test'], 2, { bounce });
});

it('email.complained, email.opened, email.clicked and email.failed report later events', async () => {
  const emailId = await program.send('ann@inbox.test');
  await callFor('email.delivered', emailId);
  const open = { ipAddress: '192.0.2.1', userAgent: 'Mail', timestamp: '2026-11-21T10:00:00.000Z', machine: true };
  const click = { ipAddress: '192.0.2.1', link: 'https://a.test/?b=c&d', timestamp: open.timestamp, userAgent: 'Web' };
  await writeEvent(emailId, 'email.opened', { open });
  await writeEvent(emailId, 'email.clicked', { click, internal: 'not for customers' });
  await writeEvent(emailId, 'email.complained', { feedback: 'abuse' });
  await writeEvent(emailId, 'email.failed', { failed: { reason: 'reached_daily_quota' } });
  await expectPayload('email.opened', emailId, ['ann@inbox.test'], 3, { open });
  await expectPayload('email.clicked', emailId, ['ann@inbox.test'], 4, { click });
  await expectPayload('email.complained', emailId, ['ann@inbox.test'], 5);
  await expectPayload('email.failed', emailId, ['ann@inbox.test'], 6, { failed: { reason: 'reached_daily_quota' } });
});

it('suppression.added and suppression.removed come once for each change, and email.suppressed for each email that was not sent', async () => {
  const { data } = await program.resend.suppressions.add({ email: 'gone@inbox.test' });
  await program.resend.suppressions.batch.add({ emails: ['GONE@inbox.test', 'two@inbox.test', 'two@inbox.test'] });
  const suppression = { id: data?.id, email: 'gone@inbox.test', origin: 'manual', source_id: null, created_at: iso };
  const { payload } = await callFor('suppression.added', 'gone@inbox.test');
  expect(payload).toEqual({ type: 'suppression.added', created_at: iso, data: suppression });

  const emailId = await program.send('gone@inbox.test');
  const suppressed = {
    message: expect.any(String),
    type: 'OnAccountSuppressionList',
    reason: expect.any(String),
    diagnosticCode: [],
  };
  await expectPayload('email.suppressed', emailId, ['gone@inbox.test'], 1, { suppressed });

  await program.resend.suppressions.remove('gone@inbox.test');
  await program.resend.suppressions.batch.remove({ emails: ['gone@inbox.test', 'two@inbox.test'] });
  const removed = (await callFor('suppression.removed', 'gone@inbox.test')).payload;
  expect(removed).toEqual({ type: 'suppression.removed', created_at: iso, data: suppression });
  await callFor('suppression.removed', 'two@inbox.test');
  const changes = receiver.calls.map(({ payload: { type, data: change } }) => `${type} ${String(change.email)}`);
  for (const address of ['gone@inbox.test', 'two@inbox.test']) {
    expect(changes.filter((text) => text === `suppression.added ${address}`)).toHaveLength(1);
    expect(changes.filter((text) => text === `suppression.removed ${address}`)).toHaveLength(1);
  }
});

it('a bounce of a bad address sends suppression.added with the id of the email', async () => {
  const outcome: DeliveryOutcome = {
    kind: 'bounced',
    reason: 'no such user',
    category: 'bad-address',
    detail: { durationMs: 1, replyCode: 550, enhancedCode: '5.1.1', replyText: 'no such user' },
  };
  program.transport.outcomeFor('nobody@inbox.test', outcome);
  const emailId = await program.send('nobody@inbox.test');
  const { payload } = await callFor('suppression.added', 'nobody@inbox.test');
  expect(payload.data).toMatchObject({ email: 'nobody@inbox.test', origin: 'bounce', source_id: emailId });
});

it('domain.created, domain.updated and domain.deleted carry the domain and its records', async () => {
  const { data } = await program.resend.domains.create({ name: 'told.test', capabilities: { receiving: 'enabled' } });
  const id = data?.id ?? '';
  await program.resend.domains.update({ id, openTracking: true });
  await program.resend.domains.remove(id);
  for (const type of ['domain.created', 'domain.updated', 'domain.deleted']) {
    const { payload } = await callFor(type, id);
    expect(payload).toEqual({
      type,
      created_at: iso,
      data: {
        id,
        name: 'told.test',
        status: expect.any(String),
        state: expect.any(String),
        created_at: iso,
        region: expect.any(String),
        capabilities: { sending: 'enabled', receiving: 'enabled' },
        records: expect.arrayContaining([expect.objectContaining({ record: 'Receiving MX', type: 'MX' })]),
        recommended_records: [
          expect.objectContaining({ record: 'DMARC', name: '_dmarc' }),
          expect.objectContaining({ record: 'TLSRPT', name: '_smtp._tls' }),
        ],
      },
    });
  }
});
