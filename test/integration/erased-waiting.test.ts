import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { DeliveryTransport, InMemoryDeliveryTransport } from '#delivery';
import { newId } from '#kernel';
import { Adapters } from '#platform/adapters';
import { Database } from '#postgres/database';
import { BroadcastSteps } from '../support/builders/broadcast-steps.js';
import { eventsOf, lastEventOf } from '../support/builders/email-events.js';
import type { ParsedJson } from '../support/runner/parsed-json.js';
import { startProgram, testSender, TestProgram } from '../support/programs/program.js';
import { inOneProcess } from '../support/programs/start-for-test.js';
import { until } from '../support/runner/until.js';

let program: TestProgram;
let database: Database;
let steps: BroadcastSteps;
const transport = new InMemoryDeliveryTransport();
const deferred = InMemoryDeliveryTransport.deferred('451 later');

beforeAll(async () => {
  program = await startProgram(inOneProcess, new Adapters().use(DeliveryTransport, transport));
  database = program.postrider.app.get(Database);
  const [team] = await database.query<{ id: string }>({ text: 'SELECT id FROM teams' });
  steps = new BroadcastSteps(database, team?.id ?? '');
  await steps.property('plan');
});
afterAll(() => program.stop());

async function send(to: string | string[]): Promise<string> {
  const { data } = await program.resend.emails.send({ from: testSender, to, subject: 'Hello', text: 'Hello' });
  return data?.id ?? '';
}

async function call(path: string, body?: object): Promise<ParsedJson> {
  const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  return (await (await program.request(path, init)).json()) as ParsedJson;
}

const erase = async (email: string): Promise<string> => (await call('/privacy/erasures', { email })).id as string;
const shown = (id: string): Promise<ParsedJson> => call(`/privacy/erasures/${id}`);
const completed = (id: string): Promise<ParsedJson> =>
  until(async () => {
    const erasure = await shown(id);
    return erasure.status === 'completed' && erasure;
  });

/** The next attempt of everything that waits in a lane is due. */
const letGo = (): Promise<unknown> =>
  database.execute({ text: `UPDATE outbound_queue SET due_at = now() - interval '1 s' WHERE worker_id IS NULL` });
/** Carries out erasures that wait until one is completed. */
const completedAgain = (id: string): Promise<ParsedJson> =>
  until(async () => {
    await database.execute({ text: `UPDATE privacy_erasures SET due_at = now() WHERE status = 'pending'` });
    const erasure = await shown(id);
    return erasure.status === 'completed' && erasure;
  });
const waiting = async (emailId: string): Promise<number[]> =>
  (
    await database.query<{ no: number }>({
      text: 'SELECT recipient_no AS no FROM outbound_queue WHERE email_id = $1 ORDER BY 1',
      values: [emailId],
    })
  ).map(({ no }) => no);
const attemptsTo = (address: string): number =>
  transport.delivered.filter(({ recipients }) => recipients.includes(address)).length;

it('mail that waits in a lane is not sent to an erased address, and the erasure does not wait for it', async () => {
  const [gone, stays] = ['gone@sink.test', 'stays@sink.test'];
  for (const address of [gone, stays]) transport.outcomeFor(address, deferred);
  const segmentId = await steps.segment();
  await database.execute({
    text: `WITH c AS (INSERT INTO contacts (id, team_id, email, created_at, updated_at) VALUES ($1, $2, $3, now(), now()) RETURNING id)
           INSERT INTO segment_contacts (segment_id, contact_id, team_id, created_at) SELECT $4, id, $2, now() FROM c`,
    values: [newId(), steps.teamId, gone, segmentId],
  });
  const broadcastId = await steps.start({ segmentId });
  const receipt = await send(gone);
  const unrelated = await send(stays);
  await until(async () => (await steps.progressOf(broadcastId)).delivery_delayed === 1);
  const [bulk] = await database.query<{ id: string }>({
    text: 'SELECT email_id AS id FROM broadcast_recipients WHERE broadcast_id = $1',
    values: [broadcastId],
  });
  const ids = [receipt, bulk?.id ?? ''];
  for (const id of [...ids, unrelated]) await lastEventOf(program, id, 'delivery_delayed');
  transport.outcomeFor(gone);
  const id = await erase(gone);
  expect(await completed(id)).toMatchObject({ waiting: false, counts: { emails: 2 } });
  for (const email of ids) {
    expect(await waiting(email)).toEqual([]);
    expect((await eventsOf(program, email)).at(-1)).toMatchObject({ type: 'email.suppressed' });
    expect((await program.resend.emails.get(email)).data).toMatchObject({ to: ['erased'], last_event: 'suppressed' });
  }
  await until(async () => (await steps.progressOf(broadcastId)).suppressed === 1);
  expect(await waiting(unrelated)).toEqual([0]);
  transport.outcomeFor(stays);
  await letGo();
  await lastEventOf(program, unrelated, 'delivered');
  expect(attemptsTo(gone)).toBe(0);
});

it('mail that waits for others, too, is sent to them, and its erasure follows', async () => {
  const [gone, stays] = ['first@sink.test', 'second@sink.test'];
  for (const address of [gone, stays]) transport.outcomeFor(address, deferred);
  const both = await send([gone, stays]);
  await until(async () => {
    const types = (await eventsOf(program, both)).map(({ type }) => type);
    return types.filter((type) => type === 'email.delivery_delayed').length === 2;
  });
  const id = await erase(gone);
  await until(async () => (await shown(id)).waiting === true);
  expect(await waiting(both)).toEqual([1]);
  for (const address of [gone, stays]) transport.outcomeFor(address);
  await letGo();
  await until(() => attemptsTo(stays) === 1);
  await until(async () => (await waiting(both)).length === 0);
  expect(await completedAgain(id)).toMatchObject({ counts: { emails: 1 } });
  expect((await program.resend.emails.get(both)).data?.to).toEqual(['erased', stays]);
  expect(attemptsTo(gone)).toBe(0);
});

it('mail that a worker has claimed stays with it, and is withdrawn once it waits again', async () => {
  const address = 'claimed@sink.test';
  transport.outcomeFor(address, deferred);
  const email = await send(address);
  await lastEventOf(program, email, 'delivery_delayed');
  const claimBy = (worker: string | null): Promise<unknown> =>
    database.execute({ text: 'UPDATE outbound_queue SET worker_id = $2 WHERE email_id = $1', values: [email, worker] });
  await claimBy(newId());
  const id = await erase(address);
  await until(async () => (await shown(id)).waiting === true);
  expect(await waiting(email)).toEqual([0]);
  expect((await eventsOf(program, email)).at(-1)).toMatchObject({ type: 'email.delivery_delayed' });
  await claimBy(null);
  await completedAgain(id);
  expect(await waiting(email)).toEqual([]);
  expect((await eventsOf(program, email)).at(-1)).toMatchObject({ type: 'email.suppressed' });
});
