import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { imported } from '../support/builders/contact-import-steps.js';
import { startProgram, TestProgram } from '../support/programs/program.js';
import { inOneProcess } from '../support/programs/start-for-test.js';
import { until } from '../support/runner/until.js';

let program: TestProgram;
let other: Client;
let segmentId: string;

beforeAll(async () => {
  program = await startProgram(inOneProcess);
  other = new Client({ connectionString: program.database.url });
  await other.connect();
  segmentId = (await program.resend.segments.create({ name: 'Somebody' })).data?.id ?? '';
});
afterAll(async () => {
  await other.end();
  await program.stop();
});

const post = (path: string, body: object, method = 'POST'): Promise<Response> =>
  program.request(path, { method, body: JSON.stringify(body) });

it.each<[way: string, change: (email: string) => Promise<unknown>]>([
  ['a change', (email) => post(`/contacts/${email}`, { first_name: 'New' }, 'PATCH')],
  ['an upsert', (email) => post('/contacts', { email, first_name: 'New' })],
  ['a membership', (email) => post(`/contacts/${email}/segments/${segmentId}`, {})],
  ['an import', (email) => imported(program, `email,first_name\n${email},New\n`)],
])('%s that waits for another one is dated behind it in the history', async (way, change) => {
  const email = `${way.replaceAll(' ', '-')}@sink.test`;
  const { id } = (await program.resend.contacts.create({ email, firstName: 'Old' })).data ?? {};
  await other.query('BEGIN');
  await other.query('SELECT FROM contacts WHERE id = $1 FOR UPDATE', [id]);
  const changed = change(email);
  await until(async () => {
    // A transaction sees the activity of its first look otherwise.
    await other.query('SELECT pg_stat_clear_snapshot()');
    const { rows } = await other.query(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    return rows.length > 0;
  });
  // The other change is made while it holds the contact.
  const otherAt = new Date();
  await other.query('COMMIT');
  await changed;
  const { rows } = await other.query<{ created_at: Date }>(
    'SELECT created_at FROM contact_changes WHERE contact_id = $1 ORDER BY id DESC LIMIT 1',
    [id],
  );
  expect(rows[0]?.created_at.getTime()).toBeGreaterThanOrEqual(otherAt.getTime());
});
