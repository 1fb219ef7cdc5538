import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { DeliveryTransport, InMemoryDeliveryTransport } from '#delivery';
import { ReceivedEmails } from '#inbound';
import { newId } from '#kernel';
import { Adapters } from '#platform/adapters';
import { Database } from '#postgres/database';
import { createTransport } from 'nodemailer';
import { imported } from '../support/builders/contact-import-steps.js';
import { lastEventOf } from '../support/builders/email-events.js';
import { InMemoryReceivedEmails } from '../support/fakes/in-memory-receiving.js';
import { startProgram, testApiKey, testSender, TestProgram } from '../support/programs/program.js';
import { until } from '../support/runner/until.js';

/** Names of others contain the address of the person who is erased. */
const person = 'σas@bücher.test';
const neighbours = ['maria.σas@xn--bcher-kva.test', 'σas@xn--bcher-kva.test.example'];
let program: TestProgram;

beforeAll(async () => {
  const transport = new InMemoryDeliveryTransport();
  program = await startProgram({ SMTP_LISTEN: '127.0.0.1:0+tls' }, new Adapters().use(DeliveryTransport, transport));
});

afterAll(() => program.stop());

async function post(path: string, body: object): Promise<Record<string, unknown>> {
  const response = await program.request(path, { method: 'POST', body: JSON.stringify(body) });
  return (await response.json()) as Record<string, unknown>;
}

async function send(request: object): Promise<string> {
  const { id } = await post('/emails', { from: testSender, subject: 'Hello', text: 'Hello', ...request });
  return id as string;
}

async function teamId(): Promise<string> {
  const sql = { text: 'SELECT id FROM teams ORDER BY created_at LIMIT 1' };
  const [team] = await program.postrider.app.get(Database).query<{ id: string }>(sql);
  return team?.id ?? '';
}

async function erase(email: string): Promise<Record<string, unknown>> {
  const { id } = await post('/privacy/erasures', { email });
  return until(async () => {
    const shown = (await (await program.request(`/privacy/erasures/${id as string}`)).json()) as Record<
      string,
      unknown
    >;
    return shown.status === 'completed' && shown;
  });
}

/** Tables in which the pattern stands, as texts or in stored contents. */
async function tablesWith(pattern: string): Promise<string[]> {
  const database = program.postrider.app.get(Database);
  const tables = await database.query<{ name: string }>({
    text: `SELECT c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
           WHERE n.nspname = current_schema() AND c.relkind = 'r' AND c.relname NOT LIKE 'message_contents%'`,
  });
  const found = [];
  for (const { name } of tables) {
    const rows = await database.query({
      text: `SELECT FROM "${name}" t WHERE t::text ~ $1 LIMIT 1`,
      values: [pattern],
    });
    if (rows.length > 0) found.push(name);
  }
  const contents = await database.query({
    text: `SELECT FROM message_contents WHERE encode(bytes, 'escape') ~ $1 LIMIT 1`,
    values: [pattern.replaceAll(/[^\x00-\x7f]/g, '.')],
  });
  return contents.length > 0 ? [...found, 'message_contents'] : found;
}

it('an erasure finds an address in every spelling and place, and leaves those that only contain it', async () => {
  const team = await teamId();
  await program.resend.contacts.create({ email: person });
  for (const email of neighbours) await program.resend.contacts.create({ email });
  // Answered with 404, and logged as typed.
  await program.request('/contacts/Σas%40BÜCHER.test');
  await program.request(`/contacts/${encodeURIComponent(neighbours[0] as string)}`);
  await imported(program, `email\n${person} (at work)\n${neighbours[0]} (at home)\n`);
  const replies = await send({ to: 'other@privacy.test', reply_to: ['Ada <Σas@bücher.test>', neighbours[0]] });
  const both = await send({ to: [neighbours[0], person], headers: { 'X-For': person } });
  const later = await send({ to: person, scheduled_at: new Date(Date.now() + 86_400_000).toISOString() });
  await lastEventOf(program, replies, 'delivered');
  await lastEventOf(program, both, 'delivered');
  const database = program.postrider.app.get(Database);
  await database.execute({
    text: `INSERT INTO audit_entries (id, team_id, action, actor_kind, after)
           SELECT gen_random_uuid(), $1, 'test', 'service', jsonb_build_object('email', a) FROM unnest($2::text[]) AS a`,
    values: [team, ['ΣAS@bücher.test', ...neighbours]],
  });
  const email = new InMemoryReceivedEmails().add(team, { from: 'ΣAS@bücher.test', to: [neighbours[0] as string] });
  const content = { id: email.contentId, size: 5, digest: newId(), bytes: Buffer.from('Hello') };
  const received = program.postrider.app.get(ReceivedEmails, { strict: false });
  await received.accept({
    identity: [newId()],
    content,
    arrivals: [{ email, threadKeys: [], announce: true, act: false }],
  });
  await until(async () => (await tablesWith('CHER[.]test')).some((name) => name.startsWith('request_logs')));

  const done = await erase(person);
  expect(done).toMatchObject({
    waiting: false,
    counts: { audit: expect.any(Number), contacts: 1, emails: 3, received: 1 },
  });
  expect((await program.resend.emails.get(later)).data?.last_event).toBe('canceled');
  expect((await program.resend.emails.get(replies)).data?.reply_to).toEqual(['erased', neighbours[0]]);
  // The completed erasure has no address; nothing else has one of this person.
  const own = `(^|[^.])([σΣς]|%CE%A3)[aA][sS](@|%40)(xn--bcher-kva|[bB]([üÜ]|%C3%9C)[cC][hH][eE][rR])[.][tT][eE][sS][tT]($|[^.])`;
  await until(async () => (await tablesWith(own)).length === 0);
  const left = await tablesWith(`maria[.]σas@xn--bcher-kva`);
  const base = new Set(left.map((name) => name.replace(/_p\d.*$/, '')));
  expect([...base].sort()).toEqual(
    expect.arrayContaining([
      'audit_entries',
      'contact_import_refusals',
      'contacts',
      'emails',
      'recipients',
      'request_logs',
    ]),
  );
  for (const address of neighbours) expect((await program.resend.contacts.get({ email: address })).error).toBeNull();
});

it('an erasure takes the person out of the header of mail that was submitted for several', async () => {
  const mailer = createTransport({
    host: '127.0.0.1',
    port: program.postrider.smtp.listening[0]?.port,
    secure: true,
    tls: { rejectUnauthorized: false },
    auth: { user: 'resend', pass: testApiKey },
  });
  await mailer.sendMail({
    from: testSender,
    to: ['Ada <ada@smtp.test>', 'bob.ada@smtp.test'],
    cc: 'ADA@smtp.test',
    replyTo: 'ada@smtp.test',
    subject: 'For both',
    text: 'Hello both',
  });
  mailer.close();
  const { data } = await program.resend.emails.list();
  const sent = data?.data.find(({ subject }) => subject === 'For both');
  await lastEventOf(program, sent?.id as string, 'delivered');
  expect(await tablesWith('[^.]ada@smtp')).toContain('message_contents');
  await erase('ada@smtp.test');
  expect(await tablesWith('[^.]ada@smtp')).toEqual([]);
  const { data: shown } = await program.resend.emails.get(sent?.id as string);
  expect(shown).toMatchObject({ to: ['erased', 'bob.ada@smtp.test'], text: expect.stringContaining('Hello both') });
});
