import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { testApiKey, testEnvironment, testSender } from '../support/programs/program.js';
import { runServerProgram, ServerProgram } from '../support/programs/server-program.js';
import { createTestDatabase, TestDatabase } from '../support/servers/test-database.js';

const megabyte = 1024 * 1024;
const emailSize = 40 * megabyte;

let database: TestDatabase;
let dataDir: string;
let server: ServerProgram;

beforeAll(async () => {
  database = await createTestDatabase();
  dataDir = await mkdtemp(join(tmpdir(), 'postrider-large-'));
  server = await runServerProgram({ ...testEnvironment(database, dataDir), ROLES: 'api' });
});

afterAll(async () => {
  await server.stop();
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});

/** The body of a request with an email of the maximum size. */
function largestBody(): string {
  const content = Buffer.alloc(((emailSize - 1_000) / 4) * 3, 7).toString('base64');
  return JSON.stringify({ ...mail, attachments: [{ filename: 'a.bin', content }] });
}

const mail = { from: testSender, to: 'a@customer.test', subject: 'Large', text: 'Hello' };

async function post(body: string): Promise<number> {
  const response = await fetch(`${server.url}/emails`, {
    method: 'POST',
    body,
    headers: { authorization: `Bearer ${testApiKey}`, 'content-type': 'application/json' },
  });
  await response.text();
  return response.status;
}

describe('an email of 40 MB', () => {
  it('takes no more than about twice its size to accept', async () => {
    for (let count = 0; count < 20; count++) await post(JSON.stringify(mail));
    await server.forgetPeak();
    const before = await server.memory();
    expect(await post(largestBody())).toBe(200);
    const grown = (await server.peakMemory()) - before;
    console.log(`one email of 40 MB: ${(grown / emailSize).toFixed(2)} times its size`);
    // Measured: 1.8. The rest is room for a garbage collector that lags behind.
    expect(grown / emailSize).toBeLessThan(3);
  });

  it('does not end the process if ten come at once', async () => {
    const body = largestBody();
    const statuses = await Promise.all(Array.from({ length: 10 }, () => post(body)));
    expect(statuses).toEqual(Array.from({ length: 10 }, () => 200));
    console.log(`ten at once: peak ${Math.round((await server.peakMemory()) / megabyte)} MB`);
    expect(await server.peakMemory()).toBeLessThan(500 * megabyte);
    expect(await post(JSON.stringify(mail))).toBe(200);
  });

  it('is refused if it is larger', async () => {
    const content = Buffer.alloc((emailSize / 4) * 3 + 3, 7).toString('base64');
    expect(await post(JSON.stringify({ ...mail, attachments: [{ filename: 'a.bin', content }] }))).toBe(413);
  });
});
