import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { testApiKey, testEnvironment, testSender } from '../support/program.js';
import { runServerProgram, ServerProgram } from '../support/server-program.js';
import { createTestDatabase, TestDatabase } from '../support/test-database.js';

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

/** A request whose email is as large as one may be. */
function maxBodyBytes(): string {
  const content = Buffer.alloc(((emailSize - 1_000) / 4) * 3, 7).toString('base64');
  return JSON.stringify({ ...mail, attachments: [{ filename: 'a.bin', content }] });
}

const mail = { from: testSender, to: 'a@customer.test', subject: 'Large', text: 'Hello' };

async function post(body: string): Promise<number> {
  const answer = await fetch(`${server.url}/emails`, {
    method: 'POST',
    body,
    headers: { authorization: `Bearer ${testApiKey}`, 'content-type': 'application/json' },
  });
  await answer.text();
  return answer.status;
}

describe('an email of 40 MB', () => {
  it('takes no more than about twice its size to accept', async () => {
    for (let count = 0; count < 20; count++) await post(JSON.stringify(mail));
    await server.forgetPeak();
    const before = await server.memory();
    expect(await post(maxBodyBytes())).toBe(200);
    const grown = (await server.peakMemory()) - before;
    console.log(`one email of 40 MB: ${(grown / emailSize).toFixed(2)} times its size`);
    // 1.8, with room for a garbage collector that lags behind.
    expect(grown / emailSize).toBeLessThan(3);
  });

  it('does not end the process where ten come at once', async () => {
    const body = maxBodyBytes();
    const statuses = await Promise.all(Array.from({ length: 10 }, () => post(body)));
    expect(statuses).toEqual(Array.from({ length: 10 }, () => 200));
    console.log(`ten at once: peak ${Math.round((await server.peakMemory()) / megabyte)} MB`);
    expect(await server.peakMemory()).toBeLessThan(600 * megabyte);
    expect(await post(JSON.stringify(mail))).toBe(200);
  });

  it('is refused where it is larger than that', async () => {
    const content = Buffer.alloc((emailSize / 4) * 3 + 3, 7).toString('base64');
    expect(await post(JSON.stringify({ ...mail, attachments: [{ filename: 'a.bin', content }] }))).toBe(413);
  });
});
