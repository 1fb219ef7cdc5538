import { request } from 'node:http';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { firstIdAt, newId } from '#kernel';
import { Database } from '#postgres/database';
import { Purges } from '#postgres/retention';
import { ended, imported, postImport } from '../support/builders/contact-import-steps.js';
import { startProgram, testApiKey, TestProgram } from '../support/programs/program.js';
import { inOneProcess } from '../support/programs/start-for-test.js';

let program: TestProgram;
let database: Database;

beforeAll(async () => {
  program = await startProgram({ ...inOneProcess, RATE_LIMIT_PER_SECOND: '10000' });
  database = program.postrider.app.get(Database);
});

afterAll(() => program.stop());

describe('a form', () => {
  const row = 'a@form.test\n';
  const refused: readonly [string | Buffer, Record<string, unknown>, string][] = [
    ['', {}, 'The file is empty.'],
    ['\n\n', {}, 'The file is empty.'],
    [`mail,name\n${row}`, {}, 'The file has no column `email`. Its columns are `mail`, `name`.'],
    [`email\n${row}`, { column_map: { email: 'Mail' } }, 'The file has no column `Mail`.'],
    [`email,email\n${row}`, {}, 'The file has several columns `email`.'],
    [Buffer.from('504b0304140000000000', 'hex'), {}, 'The file is an Excel workbook or another ZIP archive, not CSV.'],
    [`email\n${row}`, { column_map: 'x' }, 'The `column_map` field must be JSON.'],
    [`email\n${row}`, { column_map: { properties: { __proto__x: 5 } } }, 'must be an object'],
    [
      `email\n${row}`,
      { column_map: { properties: { 'a-b': { column: 'email' } } } },
      'is not the key of a contact property',
    ],
    [`email\n${row}`, { column_map: { properties: { EMAIL: { column: 'email' } } } }, 'is reserved'],
    [
      `email\n${row}`,
      { column_map: { properties: { a: { column: 'email', type: 'date' } } } },
      'must be `string`, `number` or `boolean`',
    ],
    [`email\n${row}`, { on_conflict: 'merge' }, 'must be `upsert` or `skip`'],
    [`email\n${row}`, { segments: [newId()] }, 'does not exist'],
    [`email\n${row}`, { segments: ['x'] }, 'valid UUIDs'],
    [`email\n${row}`, { topics: [{ id: newId(), subscription: 'opt_in' }] }, 'does not exist'],
    [`email\n${row}`, { topics: [{ id: newId(), subscription: 'yes' }] }, 'must be `opt_in` or `opt_out`'],
  ];
  it.each(refused)('%#: is refused and leaves nothing', async (file, fields, message) => {
    const [status, body] = await postImport(program, file, fields);
    expect([status, body.name]).toEqual([422, 'validation_error']);
    expect(body.message).toContain(message);
    expect(await database.query({ text: 'SELECT 1 FROM contact_import_chunks' })).toEqual([]);
  });

  it('needs a file, and is no JSON', async () => {
    const form = new FormData();
    form.append('on_conflict', 'skip');
    const [none, json, elsewhere] = await Promise.all([
      program.request('/contacts/imports', { method: 'POST', body: form }),
      program.request('/contacts/imports', { method: 'POST', body: '{}' }),
      program.request('/contacts', { method: 'POST', body: form }),
    ]);
    expect([none.status, ((await none.json()) as { name: string }).name]).toEqual([422, 'missing_required_field']);
    expect(((await json.json()) as { message: string }).message).toContain('multipart/form-data');
    expect(((await elsewhere.json()) as { message: string }).message).toContain('must be JSON');
  });

  it('may come with the file last, and without a name', async () => {
    const boundary = 'xyz';
    const part = (headers: string, text: string): string => `--${boundary}\r\n${headers}\r\n\r\n${text}\r\n`;
    const body =
      part('content-disposition: form-data; name="on_conflict"', 'skip') +
      part('content-disposition: form-data; name="file"', 'email\nnameless@form.test\n') +
      `--${boundary}--\r\n`;
    const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` };
    const response = await program.request('/contacts/imports', { method: 'POST', body, headers });
    expect(response.status).toBe(201);
    const { id } = (await response.json()) as { id: string };
    expect(await ended(program, id)).toMatchObject({ counts: { total: 1, created: 1 } });
  });
});

describe('the cells of a file', () => {
  it('are stored as they are, whatever they mean to PostgreSQL', async () => {
    const names = [
      '\\',
      '\\.',
      '\\N',
      'a\tb',
      'a\nb',
      'a\rb',
      '\\x41\\101',
      `'; --`,
      '"{}"',
      'é\u{1F680}\u2028x',
      '\\\\.\n\\.',
    ];
    const quoted = (cell: string): string => `"${cell.replaceAll('"', '""')}"`;
    const rows = names.map((name, no) => `cell${no}@copy.test,${quoted(name)},${quoted(`{${name}}`)}\n`);
    const { counts } = await imported(program, `email,first_name,odd\n${rows.join('')}`, {
      column_map: { properties: { odd: { column: 'odd' } } },
    });
    expect(counts).toMatchObject({ created: names.length, failed: 0 });
    const stored = await database.query({
      text: `SELECT first_name, properties ->> 'odd' AS odd FROM contacts WHERE email LIKE 'cell%@copy.test'
             ORDER BY length(email), email`,
    });
    expect(stored).toEqual(names.map((name) => ({ first_name: name, odd: `{${name}}` })));
  });

  it('that are NUL or broken UTF-8 are refused, and the rows around them imported', async () => {
    const bytes = Buffer.concat([
      Buffer.from('email,first_name\ngood1@bytes.test,Zoë ééééééééééééééé\nnul@bytes.test,a\0b\nbad@bytes.test,'),
      Buffer.from([0xff, 0x41]),
      Buffer.from('\ngood2@bytes.test,\\.\n'),
    ]);
    expect((await imported(program, bytes)).counts).toMatchObject({ created: 2, failed: 2 });
  });

  it('may be one giant, or more than a file may have columns', async () => {
    const giant = await imported(
      program,
      `email,first_name\nsmall@giant.test,A\nb@giant.test,${'\\\t'.repeat(450_000)}\n`,
    );
    expect(giant.counts).toMatchObject({ created: 1, failed: 1 });
    const columns = Array.from({ length: 10_000 }, (_, no) => `c${no}`).join(',');
    expect((await postImport(program, `email,${columns}\na@x.test\n`))[0]).toBe(422);
    const wide = await imported(program, `email\nwide@x.test${',x'.repeat(10_000)}\nnarrow@x.test\n`);
    expect(wide.counts).toMatchObject({ created: 1, failed: 1 });
  });
});

describe('a file of new contacts', () => {
  it('with one known among them, which no sample finds, updates that one', async () => {
    await program.resend.contacts.create({ email: 'known7@sample.test', firstName: 'Old' });
    const emails = Array.from({ length: 1_000 }, (_, no) => `${no === 7 ? 'known' : 'new'}${no}@sample.test`);
    const result = await imported(program, `email,first_name\n${emails.map((email) => `${email},New\n`).join('')}`);
    expect(result.counts).toMatchObject({ total: 1_000, created: 999, updated: 1 });
    const [row] = await database.query({
      text: `SELECT count(*)::int AS contacts, count(*) FILTER (WHERE first_name = 'New')::int AS written,
               (SELECT count(*)::int FROM contact_changes h JOIN contacts c ON c.id = h.contact_id
                WHERE c.email LIKE '%@sample.test' AND h.changes ? 'import') AS entries
             FROM contacts WHERE email LIKE '%@sample.test'`,
    });
    expect(row).toEqual({ contacts: 1_000, written: 1_000, entries: 1_000 });
  });
});

describe('a file that is too large', () => {
  it('gets an answer that a client reads that is still sending', async () => {
    const boundary = 'xyz';
    const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\n\r\nemail\n`;
    const piece = Buffer.from('a@too-large.test\n'.repeat(60_000));
    async function* endless(): AsyncGenerator<Uint8Array> {
      yield Buffer.from(head);
      for (let no = 0; no < 105; no++) yield piece;
    }
    const { port } = new URL(program.url);
    const answer = await new Promise<[status: number | undefined, text: string]>((resolve, reject) => {
      const headers = {
        authorization: `Bearer ${testApiKey}`,
        'content-type': `multipart/form-data; boundary=${boundary}`,
      };
      const sent = request({ port, method: 'POST', path: '/contacts/imports', headers }, (response) => {
        void text(response).then((body) => resolve([response.statusCode, body]), reject);
      });
      sent.on('error', reject);
      Readable.from(endless()).pipe(sent);
    });
    expect(answer).toEqual([413, expect.stringContaining('larger than 100 MB')]);
    expect(await database.query({ text: 'SELECT 1 FROM contact_import_chunks LIMIT 1' })).toEqual([]);
  });
});

describe('retention', () => {
  it('removes old imports, their reports, and files that belong to none', async () => {
    const [old, recent, running] = [await refusedRow('old'), await refusedRow('recent'), await refusedRow('running')];
    const dayMs = 86_400_000;
    // The id has the time of the import.
    const aged = async (id: string, days: number, isCompleted: boolean): Promise<string> => {
      const agedId = firstIdAt(new Date(Date.now() - days * dayMs));
      await database.execute({
        text: `WITH moved AS (UPDATE contact_import_refusals SET import_id = $1 WHERE import_id = $2)
               UPDATE contact_imports SET id = $1, held_until = 'infinity',
                 completed_at = CASE WHEN $3::boolean THEN completed_at END WHERE id = $2`,
        values: [agedId, id, isCompleted],
      });
      return agedId;
    };
    const [oldId, recentId, runningId] = [
      await aged(old, 40, true),
      await aged(recent, 2, true),
      await aged(running, 41, false),
    ];
    const [lost, fresh] = [firstIdAt(new Date(Date.now() - 3 * dayMs)), newId()];
    for (const id of [oldId, runningId, lost, fresh]) {
      await database.execute({
        text: `INSERT INTO contact_import_chunks (import_id, no, bytes) VALUES ($1, 0, 'x'), ($1, 1, 'y')`,
        values: [id],
      });
    }
    await purge(new Date(Date.now() - 30 * dayMs));
    await purge(new Date(Date.now() - 30 * dayMs));
    const left = async (table: string, column: string): Promise<unknown[]> =>
      (
        await database.query<{ id: string }>({
          text: `SELECT DISTINCT ${column} AS id FROM ${table} WHERE ${column} = ANY ($1::uuid[])`,
          values: [[oldId, recentId, runningId, lost, fresh]],
        })
      ).map(({ id }) => id);
    expect(new Set(await left('contact_imports', 'id'))).toEqual(new Set([recentId, runningId]));
    expect(new Set(await left('contact_import_refusals', 'import_id'))).toEqual(new Set([recentId]));
    expect(new Set(await left('contact_import_chunks', 'import_id'))).toEqual(new Set([runningId, fresh]));
    for (const path of ['', '/refused-rows']) {
      expect((await program.request(`/contacts/imports/${oldId}${path}`)).status).toBe(404);
    }
    expect((await program.request(`/contacts/imports/${recentId}/refused-rows`)).status).toBe(200);
  });
});

/** An import with one row that is refused. */
async function refusedRow(name: string): Promise<string> {
  const { id, counts } = await imported(program, `email\n${name} is none\n`);
  expect(counts.failed).toBe(1);
  return id;
}

async function purge(cutoff: Date): Promise<void> {
  const purges = program.postrider.app.get(Purges, { strict: false }).all;
  for (const statement of purges.flatMap((one) => one.leftovers({ now: new Date(), cutoff }))) {
    await database.execute(statement);
  }
}
