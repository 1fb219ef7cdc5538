import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { DeliveryTransport, InMemoryDeliveryTransport } from '#delivery';
import { Adapters } from '#platform/adapters';
import { Database } from '#postgres/database';
import { BroadcastSteps } from '../support/builders/broadcast-steps.js';
import type { ParsedJson } from '../support/runner/parsed-json.js';
import { startProgram, testSender, TestProgram } from '../support/programs/program.js';
import { inOneProcess } from '../support/programs/start-for-test.js';
import { until } from '../support/runner/until.js';

let program: TestProgram;
let database: Database;
let steps: BroadcastSteps;
const transport = new InMemoryDeliveryTransport();

beforeAll(async () => {
  program = await startProgram(inOneProcess, new Adapters().use(DeliveryTransport, transport));
  database = program.postrider.app.get(Database);
  const [team] = await database.query<{ id: string }>({ text: 'SELECT id FROM teams' });
  steps = new BroadcastSteps(database, team?.id ?? '');
  await steps.property('plan');
});
afterAll(() => program.stop());

/** Lets the next attempt of everything that waits in a lane be due, as after a minute. */
const letGo = (): Promise<unknown> =>
  database.execute({
    text: `UPDATE outbound_queue SET due_at = now() - interval '1 s', queued_at = queued_at - interval '1 minute' WHERE worker_id IS NULL`,
  });
const isDelivered = (address: string): boolean =>
  transport.delivered.some(({ recipients }) => recipients.includes(address));

async function eventsOf(id: string): Promise<ParsedJson[]> {
  return database.query<ParsedJson>({
    text: 'SELECT type, data FROM email_events WHERE email_id = $1 ORDER BY seq',
    values: [id],
  });
}

async function idsByAddress(broadcastId: string): Promise<ReadonlyMap<string, string>> {
  const rows = await database.query<{ email: string; id: string }>({
    text: 'SELECT email, email_id AS id FROM broadcast_recipients WHERE broadcast_id = $1',
    values: [broadcastId],
  });
  return new Map(rows.map(({ email, id }) => [email, id]));
}

it('who unsubscribes, leaves the topic or is suppressed while bulk mail waits does not get it', async () => {
  const [segmentId, topicId] = [await steps.segment(), await steps.topic('opt_in')];
  const [unsubscribed = '', left = '', , ,] = await steps.contacts(segmentId, 4, 'w');
  const addresses = [0, 1, 2, 3].map((no) => `w${no}@sink.test`);
  for (const address of addresses) transport.outcomeFor(address, InMemoryDeliveryTransport.deferred('451 later'));
  const id = await steps.start({ segmentId, topicId });
  await until(async () => (await steps.progressOf(id)).accepted === 4);
  const ids = await idsByAddress(id);
  const last = async (address: string): Promise<ParsedJson> => (await eventsOf(ids.get(address) ?? '')).at(-1);
  await until(async () => {
    const types = await Promise.all(addresses.map(async (address) => (await last(address))?.type as string));
    return types.every((type) => type === 'email.delivery_delayed');
  });
  await steps.unsubscribe([unsubscribed]);
  await steps.choose(left, topicId, 'opt_out');
  await steps.suppress(['w2@sink.test']);
  for (const address of addresses) transport.outcomeFor(address);
  await letGo();
  await until(() => isDelivered('w3@sink.test'));
  await until(async () => (await last('w2@sink.test')).type !== 'email.delivery_delayed');
  expect(await last('w0@sink.test')).toEqual({ type: 'email.failed', data: { failed: { reason: 'unsubscribed' } } });
  expect(await last('w1@sink.test')).toEqual({ type: 'email.failed', data: { failed: { reason: 'not_subscribed' } } });
  expect(await last('w2@sink.test')).toMatchObject({
    type: 'email.suppressed',
    data: { suppressed: { type: 'OnAccountSuppressionList', reason: 'manual' } },
  });
  expect(addresses.filter(isDelivered)).toEqual(['w3@sink.test']);
  await until(async () => {
    const { failed, delivered, suppressed } = await steps.progressOf(id);
    return [failed, delivered, suppressed].join() === '2,1,1';
  });
  // No topic: only who wants no broadcasts at all does not get it.
  const other = await steps.segment();
  const [gone = ''] = await steps.contacts(other, 2, 'n');
  for (const address of ['n0@sink.test', 'n1@sink.test'])
    transport.outcomeFor(address, InMemoryDeliveryTransport.deferred('451 later'));
  const second = await steps.start({ segmentId: other });
  await until(async () => (await steps.progressOf(second)).delivery_delayed === 2);
  await steps.unsubscribe([gone]);
  for (const address of ['n0@sink.test', 'n1@sink.test']) transport.outcomeFor(address);
  await letGo();
  await until(() => isDelivered('n1@sink.test'));
  await until(async () => (await steps.progressOf(second)).failed === 1);
  expect(isDelivered('n0@sink.test')).toBe(false);
});

it('other mail is not asked about', async () => {
  const address = 'receipt@sink.test';
  await program.resend.contacts.create({ email: address });
  transport.outcomeFor(address, InMemoryDeliveryTransport.deferred('451 later'));
  const { data } = await program.resend.emails.send({ from: testSender, to: address, subject: 'Receipt', text: 'x' });
  await until(async () => (await eventsOf(data?.id ?? '')).at(-1)?.type === 'email.delivery_delayed');
  await program.resend.contacts.update({ email: address, unsubscribed: true });
  transport.outcomeFor(address);
  await letGo();
  await until(() => isDelivered(address));
});
