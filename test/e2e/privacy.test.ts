import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { DeliveryTransport, InMemoryDeliveryTransport } from '#delivery';
import { ReceivedEmails } from '#inbound';
import type { ReceivedEmail } from '#inbound';
import { newId } from '#kernel';
import { Adapters } from '#platform/adapters';
import { Database } from '#postgres/database';
import { imported } from '../support/builders/contact-import-steps.js';
import { lastEventOf } from '../support/builders/email-events.js';
import { InMemoryReceivedEmails } from '../support/fakes/in-memory-receiving.js';
import { startProgram, testSender, TestProgram } from '../support/programs/program.js';
import { addSecondTeam } from '../support/programs/second-team.js';
import { until } from '../support/runner/until.js';

const transport = new InMemoryDeliveryTransport();
const ada = 'ada.person@privacy.test';
let program: TestProgram;
let strangers: string;

beforeAll(async () => {
  program = await startProgram({}, new Adapters().use(DeliveryTransport, transport));
});

afterAll(() => program.stop());

async function call(method: string, path: string, body?: unknown): Promise<[number, Record<string, unknown>]> {
  const init = body === undefined ? { method } : { method, body: JSON.stringify(body) };
  const response = await program.request(path, init);
  return [response.status, (await response.json()) as Record<string, unknown>];
}

async function send(to: string[], subject: string): Promise<string> {
  const { data, error } = await program.resend.emails.send({ from: testSender, to, subject, text: `Dear ${to[0]}` });
  expect(error).toBeNull();
  return data?.id as string;
}

/** Mail of somebody else, if nothing else is given. */
async function receive(fields: Partial<ReceivedEmail>): Promise<void> {
  const { app } = program.postrider;
  const [team] = await app
    .get(Database)
    .query<{ id: string }>({ text: 'SELECT id FROM teams ORDER BY created_at LIMIT 1' });
  const email = { ...new InMemoryReceivedEmails().add(team?.id ?? ''), from: 'sender@elsewhere.test', ...fields };
  const content = { id: email.contentId, size: 5, digest: newId(), bytes: Buffer.from('Hello') };
  const arrivals = [{ email, threadKeys: [], announce: true, act: false }];
  await app.get(ReceivedEmails, { strict: false }).accept({ identity: [newId()], content, arrivals });
}

/** Where the database contains the text, as names of tables. What another team asked about it is not counted. */
async function tablesWith(text: string): Promise<string[]> {
  const database = program.postrider.app.get(Database);
  const tables = await database.query<{ name: string }>({
    text: `SELECT c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
           WHERE n.nspname = current_schema() AND c.relkind = 'r'`,
  });
  const found = [];
  for (const { name } of tables) {
    const rows = await database.query({
      text: `SELECT FROM "${name}" t WHERE (lower(t::text) LIKE '%' || $1 || '%'
               OR lower(t::text) LIKE '%' || encode(convert_to($1, 'UTF8'), 'hex') || '%')
             AND strpos(t::text, $2) = 0 LIMIT 1`,
      values: [text, strangers],
    });
    if (rows.length > 0) found.push(name);
  }
  return found;
}

it('what is stored about an address is exported as one file, and nothing of others or of another team', async () => {
  await program.resend.contacts.create({ email: ada, firstName: 'Ada' });
  await program.resend.contacts.create({ email: 'other@privacy.test' });
  const id = await send([`Ada <${ada}>`], 'For Ada alone');
  const both = await send(['other@privacy.test', ada], 'For both');
  await send(['other@privacy.test'], 'For another');
  await program.resend.suppressions.add({ email: ada });
  await lastEventOf(program, id, 'delivered');
  await lastEventOf(program, both, 'delivered');
  await imported(program, `email\n${ada} (at work)\nsomebody else\n`);
  const database = program.postrider.app.get(Database);
  await until(async () => (await database.query({ text: 'SELECT FROM contact_activity' })).length === 2);
  await receive({ from: ada, to: ['team@acme.test'], recipients: ['team@acme.test'], subject: 'From Ada' });
  const [to, recipients] = [['team@acme.test', 'Ada.Person@privacy.test'], ['team@acme.test']];
  await receive({ to, recipients, trace: `Received: for <${ada}>\r\n`, subject: 'To Ada and others' });
  await receive({ to: [ada], recipients: [ada], subject: 'To Ada' });
  await receive({ to: ['other@privacy.test'], recipients: ['team@acme.test'], subject: 'To another' });
  const exported = await until(async () => {
    const [status, file] = await call('POST', '/privacy/exports', { email: 'ADA.person@privacy.test' });
    expect(status).toBe(200);
    return (file.logs as object[]).length > 0 ? (file as Record<string, Record<string, unknown>[]>) : undefined;
  });
  expect(exported.received).toMatchObject([
    { as: 'author', subject: 'From Ada' },
    { as: 'recipient', subject: 'To Ada and others', received_for: ['team@acme.test'] },
    { as: 'recipient', subject: 'To Ada' },
  ]);
  expect(exported.contacts).toMatchObject([{ email: ada, first_name: 'Ada', history: [{ type: 'created' }] }]);
  expect(exported.contact_activity).toMatchObject([{ last_sent_at: expect.any(String), last_opened_at: null }]);
  expect(exported.contact_imports).toMatchObject([{ line: 2, column: 'email', value: `${ada} (at work)` }]);
  expect(exported.emails).toMatchObject([
    { id, subject: 'For Ada alone', text: `Dear Ada <${ada}>`, attempts: [{ outcome: 'delivered' }], reports: [] },
    { id: both, subject: 'For both' },
  ]);
  expect(exported.suppressions).toMatchObject([{ email: ada, origin: 'manual' }]);
  expect(exported.events?.map(({ type }) => type)).toEqual([
    ...['contact.created', 'suppression.added', 'email.received', 'email.received', 'email.received'],
  ]);
  const other = await addSecondTeam(program.postrider.app);
  strangers = other.id;
  const theirs = await fetch(`${program.url}/privacy/exports`, {
    method: 'POST',
    headers: { authorization: `Bearer ${other.apiKey}` },
    body: JSON.stringify({ email: ada }),
  });
  expect(await theirs.json()).toMatchObject({ contacts: [], emails: [], events: [], suppressions: [] });
});

it('what is stored about an address is erased everywhere, and the record says who asked and what was erased', async () => {
  const [status, erasure] = await call('POST', '/privacy/erasures', { email: ada });
  expect([status, erasure.status]).toEqual([201, 'pending']);
  const done = await until(async () => {
    const [, shown] = await call('GET', `/privacy/erasures/${erasure.id as string}`);
    return shown.status === 'completed' && shown;
  });
  expect(done).toMatchObject({
    object: 'erasure',
    waiting: false,
    actor: { kind: 'api_key' },
    counts: { contacts: 1, contact_imports: 1, emails: 2, received: 3, suppressions: 0 },
  });
  await until(async () => (await tablesWith(ada)).length === 0);
  expect(await tablesWith('for ada alone')).toEqual([]);
  expect((await call('GET', '/privacy/erasures'))[1]).toMatchObject({
    data: [{ id: erasure.id, status: 'completed' }],
  });
});

it('an email to others stays theirs, and nothing more is sent to the erased address', async () => {
  const { data } = await program.resend.emails.list();
  const { data: mail } = await program.resend.emails.receiving.list();
  expect(mail?.data.map(({ subject, to }) => [subject, to])).toEqual([
    ['To another', ['other@privacy.test']],
    ['To Ada and others', ['team@acme.test', 'erased']],
  ]);
  const both = data?.data.find(({ subject }) => subject === 'For both');
  expect(both?.to).toEqual(['other@privacy.test', 'erased']);
  expect((await program.resend.emails.get(both?.id as string)).data?.text).toContain('Dear');
  const again = await send([ada], 'Again');
  await lastEventOf(program, again, 'suppressed');
});

it('sending keys may do neither, and another team sees no erasure', async () => {
  const [, { data }] = await call('GET', '/privacy/erasures');
  const [{ id } = { id: '' }] = data as { id: string }[];
  const { data: key } = await program.resend.apiKeys.create({ name: 'sending', permission: 'sending_access' });
  const other = await addSecondTeam(program.postrider.app);
  const asked = async (token: string | undefined, method: string, path: string, body?: object) =>
    (
      await fetch(`${program.url}${path}`, {
        method,
        headers: { authorization: `Bearer ${token}` },
        body: body === undefined ? undefined : JSON.stringify(body),
      })
    ).status;
  expect(await asked(key?.token, 'POST', '/privacy/exports', { email: ada })).toBe(401);
  expect(await asked(key?.token, 'POST', '/privacy/erasures', { email: ada })).toBe(401);
  expect(await asked(other.apiKey, 'GET', `/privacy/erasures/${id}`)).toBe(404);
});
