import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { calmMs } from '../../support/clients/bystanders.js';
import { ended, imported, postImport } from '../../support/builders/contact-import-steps.js';
import { HostileProgram, startHostileProgram } from '../../support/programs/hostile-program.js';
import { testApiKey } from '../../support/programs/program.js';
import { closeAll, openConnections } from '../../support/clients/raw-connections.js';
import { until } from '../../support/runner/until.js';

const mebibyte = 1024 * 1024;

let hostile: HostileProgram;
/** The team that attacks, and the one that goes on with its work. */
let attacker: { request(path: string, init?: RequestInit): Promise<Response> };
let bystander: typeof attacker;

beforeAll(async () => {
  hostile = await startHostileProgram();
  // Not `hostile.request`: a form has a content type of its own.
  const as = (key: string): typeof attacker => ({
    request: (path, init = {}) =>
      fetch(`${hostile.program.url}${path}`, { ...init, headers: { authorization: `Bearer ${key}`, ...init.headers } }),
  });
  attacker = as(hostile.attackerKey);
  bystander = as(testApiKey);
});

afterAll(() => hostile.stop());

const csv = (rows: number, name: string): string =>
  ['email,first_name', ...Array.from({ length: rows }, (_, no) => `${name}${no}@rows.test,N${no}`)].join('\n');

/** Files that want more of the program than a file should. */
const files: readonly (readonly [what: string, file: string | Uint8Array, answer: readonly (string | number)[]])[] = [
  ['one cell of 5 MB', `email,first_name\na@x.test,"${'x'.repeat(5 * mebibyte)}"\n`, ['failed']],
  ['a quote that is never closed', `email,first_name\na@x.test,"${'x\n'.repeat(2 * mebibyte)}`, ['failed']],
  ['nothing but quotes', `email\n${'"'.repeat(2 * mebibyte)}`, ['failed', 'completed']],
  ['nothing but line ends', `email\n${'\n'.repeat(5 * mebibyte)}`, ['failed']],
  ['nothing but delimiters', `email\n${','.repeat(900_000)}\n`, ['completed', 'failed']],
  ['rows of NULs', Buffer.concat([Buffer.from('email\n'), Buffer.alloc(2 * mebibyte)]), [422, 'failed', 'completed']],
  ['a header of 100,000 columns', `email,${Array.from({ length: 100_000 }, (_, no) => `c${no}`).join(',')}\n`, [422]],
  ['a zip', Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.alloc(mebibyte, 7)]), [422]],
  ['gzip', Buffer.concat([Buffer.from([0x1f, 0x8b, 8, 0]), Buffer.alloc(mebibyte, 7)]), [422]],
  ['half characters', Buffer.concat([Buffer.from('email\n'), Buffer.alloc(mebibyte, 0xf0)]), ['completed', 'failed']],
];

describe('a hostile file', () => {
  it.each(files)('of %s ends, and disturbs nobody', async (_, file, answers) => {
    const { result, failures, slowestRequestMs } = await hostile.during(async () => {
      const [status, body] = await postImport(attacker, file);
      return status === 201 ? (await ended(attacker, body.id as string)).status : status;
    });
    expect(answers).toContain(result);
    expect(failures).toEqual([]);
    expect(slowestRequestMs).toBeLessThan(calmMs);
  });
});

describe('a hostile form', () => {
  const boundary = 'x'.repeat(60);
  const post = (body: string, type = `multipart/form-data; boundary=${boundary}`): Promise<Response> =>
    attacker.request('/contacts/imports', { method: 'POST', body, headers: { 'content-type': type } });
  const part = (name: string, value: string): string =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;

  const file =
    `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\nemail\na@x.test\n\r\n` +
    `--${boundary}--\r\n`;

  it.each([
    ['10,000 fields', Array.from({ length: 10_000 }, (_, no) => part(`f${no}`, 'x')).join('')],
    ['a field of 8 MB', part('column_map', 'x'.repeat(8 * mebibyte))],
    ['a header of 1 MB', `--${boundary}\r\nX: ${'x'.repeat(mebibyte)}\r\n\r\nx\r\n--${boundary}--\r\n`],
    ['100,000 headers', `--${boundary}\r\n${'X: y\r\n'.repeat(100_000)}\r\nx\r\n--${boundary}--\r\n`],
    ['no end', part('file', 'email\na@x.test')],
    ['boundaries within boundaries', `--${boundary}\r\n`.repeat(50_000)],
    ['nested JSON', part('column_map', `${'{"properties":'.repeat(10_000)}1${'}'.repeat(10_000)}`) + file],
    ['topics of null', part('topics', '[null]') + file],
    ['segments of NUL', part('segments', '["\\u0000"]') + file],
    ['nothing', ''],
  ])('with %s is refused', async (_, body) => {
    const response = await post(body).catch((error: unknown) => error as Error);
    if (response instanceof Error) return;
    expect(response.status).toBeGreaterThanOrEqual(400);
    expect(response.status).toBeLessThan(500);
    await response.text();
  });

  it('that drips in over many connections keeps no place of another team', async () => {
    const head = [
      'POST /contacts/imports HTTP/1.1',
      'Host: a',
      `Authorization: Bearer ${hostile.attackerKey}`,
      `Content-Type: multipart/form-data; boundary=${boundary}`,
      'Transfer-Encoding: chunked',
      '',
      '',
    ].join('\r\n');
    const start = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\nemail\r\n`;
    const { port } = new URL(hostile.program.url);
    const sockets = await openConnections(
      Number(port),
      200,
      () => `${head}${start.length.toString(16)}\r\n${start}\r\n`,
    );
    try {
      const { result, failures } = await hostile.during(() => imported(bystander, csv(500, 'calm')));
      expect(result).toMatchObject({ status: 'completed', counts: { created: 500 } });
      expect(failures).toEqual([]);
    } finally {
      closeAll(sockets);
    }
  });
});

it('many imports of one team leave turns to another team and to the API', async () => {
  // The connections of the test before are noticed to be gone.
  await until(async () => (await postImport(attacker, 'email\na@rows.test\n'))[0] === 201);
  const posted = await Promise.all(
    Array.from({ length: 8 }, (_, no) => postImport(attacker, csv(20_000, `many${no}-`))),
  );
  const ids = posted.filter(([status]) => status === 201).map(([, { id }]) => id as string);
  expect(ids.length).toBeGreaterThan(1);
  const { result, failures, slowestRequestMs } = await hostile.during(() => imported(bystander, csv(2_000, 'fair')));
  expect(result).toMatchObject({ status: 'completed', counts: { created: 2_000 } });
  expect(failures).toEqual([]);
  expect(slowestRequestMs).toBeLessThan(calmMs);
  // Turns by team, not by file: the other team did not wait for all of them.
  const [row] = await hostile.query<{ behind: number }>(
    `SELECT count(*)::int AS behind FROM contact_imports i, contact_imports fair
     WHERE i.id = ANY ($1) AND fair.id = $2 AND (i.completed_at IS NULL OR i.completed_at > fair.completed_at)`,
    [ids, result.id],
  );
  expect(row?.behind).toBeGreaterThan(0);
});
