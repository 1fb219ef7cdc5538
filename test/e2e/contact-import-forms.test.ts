import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '#kernel';
import { Database } from '#platform/database';
import { ended, postImport } from '../support/contact-import-steps.js';
import { startProgram, TestProgram } from '../support/program.js';

let program: TestProgram;
let database: Database;

beforeAll(async () => {
  program = await startProgram({ RATE_LIMIT_PER_SECOND: '10000' });
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
