import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { ended, postImport, shownImport } from '../../support/builders/contact-import-steps.js';
import { testApiKey, testEnvironment } from '../../support/programs/program.js';
import { runServerProgram, ServerProgram } from '../../support/programs/server-program.js';
import { processEnvironment } from '../../support/programs/start-for-test.js';
import { createTestDatabase, TestDatabase } from '../../support/servers/test-database.js';
import { until } from '../../support/runner/until.js';

const rows = 100_000;
/** Rows that are imported when the program is killed, each time a new one. */
const killsAt = [1, 50_000];

let database: TestDatabase;
let sql: Client;
let dataDir: string;
let server: ServerProgram;

const start = (): Promise<ServerProgram> =>
  runServerProgram({ ...testEnvironment(database, dataDir), ...processEnvironment, RATE_LIMIT_PER_SECOND: '1000' });

const program = {
  request: (path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(`${server.url}${path}`, { ...init, headers: { authorization: `Bearer ${testApiKey}` } }),
};

beforeAll(async () => {
  database = await createTestDatabase();
  sql = new Client({ connectionString: database.url });
  await sql.connect();
  dataDir = await mkdtemp(join(tmpdir(), 'postrider-import-kill-'));
  server = await start();
});

afterAll(async () => {
  await server.stop();
  await sql.end();
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});

async function count(text: string): Promise<number> {
  return Number((await sql.query<{ count: string }>(text)).rows[0]?.count);
}

const nameOf = (no: number): string => (no % 7 === 0 ? `Né\n${no}` : `N ${no}`);

/** Every thousandth row is refused, every hundredth comes twice. */
function file(): string {
  const lines = ['email,first_name'];
  for (let no = 0; no < rows; no++) {
    lines.push(no % 1_000 === 1 ? `broken${no},x` : `user${no}@kill.test,"${nameOf(no)}"`);
    if (no % 100 === 2) lines.push(`USER${no}@kill.test,"${nameOf(no)}"`);
  }
  return lines.join('\n');
}

it('an import ends with exactly the contacts of its file, however often the program is killed', async () => {
  const [status, { id }] = await postImport(program, file());
  expect(status).toBe(201);
  for (const killAt of killsAt) {
    const total = await until(async () => {
      const done = await count(`SELECT total AS count FROM contact_imports`);
      return done >= killAt && done;
    });
    await server.kill();
    expect(total).toBeLessThan(rows);
    // A killed worker's lease would last some seconds more.
    await sql.query(`UPDATE contact_imports SET held_until = '-infinity' WHERE completed_at IS NULL`);
    server = await start();
    expect((await shownImport(program, id as string)).counts.total).toBeGreaterThanOrEqual(killAt);
  }
  const refused = rows / 1_000;
  expect(await ended(program, id as string, 90_000)).toMatchObject({
    status: 'completed',
    counts: { total: rows + rows / 100, created: rows - refused, updated: rows / 100, skipped: 0, failed: refused },
  });
  expect(await count('SELECT count(*) FROM contacts')).toBe(rows - refused);
  expect(await count('SELECT count(*) FROM contact_import_refusals')).toBe(refused);
  expect(await count(`SELECT count(*) FROM contact_changes WHERE type = 'created'`)).toBe(rows - refused);
  expect(await count('SELECT count(*) FROM contact_import_chunks')).toBe(0);
  const { rows: wrong } = await sql.query(
    `SELECT email FROM contacts WHERE first_name <> CASE (substring(email FROM '^user(\\d+)@'))::int % 7
       WHEN 0 THEN E'Né\\n' ELSE 'N ' END || substring(email FROM '^user(\\d+)@') LIMIT 5`,
  );
  expect(wrong).toEqual([]);
});
