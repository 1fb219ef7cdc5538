import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Resend } from 'resend';
import { Adapters } from '#platform/adapters';
import { Postrider } from '../../../apps/server/src/postrider.js';
import { databaseEnvironment, redisEnvironment, startForTest } from './start-for-test.js';
import { createTestDatabase, TestDatabase } from '../servers/test-database.js';

export const testApiKey = 're_test_0123456789abcdef';
export const testSender = 'Acme <hello@sandbox.postrider.test>';

/** The whole program in this process, with its own database. */
export interface TestProgram {
  readonly postrider: Postrider;
  readonly url: string;
  readonly database: TestDatabase;
  /** The unmodified client library, configured with the program's URL. */
  readonly resend: Resend;
  /** Sends a request with the API key, unless the headers have another one. */
  request(path: string, init?: RequestInit): Promise<Response>;
  stop(): Promise<void>;
}

/** The environment that a process needs to share a test's database. */
export function testEnvironment(database: TestDatabase, dataDir: string): Record<string, string> {
  return {
    ...redisEnvironment(database.url),
    ...databaseEnvironment(database.url),
    SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    BOOTSTRAP_API_KEY: testApiKey,
    DATA_DIR: dataDir,
    HTTP_PORT: '0',
    SMTP_LISTEN: 'none',
    LOG_LEVEL: 'fatal',
  };
}

/** If the database of another program is given, the new program shares it and does not drop it. */
export async function startProgram(
  environment: Readonly<Record<string, string>> = {},
  adapters: Adapters = new Adapters(),
  shared?: TestDatabase,
): Promise<TestProgram> {
  const database = shared ?? (await createTestDatabase());
  const dataDir = await mkdtemp(join(tmpdir(), `postrider-test-${randomBytes(3).toString('hex')}-`));
  const postrider = await startForTest({ ...testEnvironment(database, dataDir), ...environment }, adapters);
  return {
    postrider,
    url: postrider.url,
    database,
    resend: new Resend(testApiKey, { baseUrl: postrider.url }),
    request: (path, init = {}) =>
      fetch(`${postrider.url}${path}`, {
        ...init,
        headers: { authorization: `Bearer ${testApiKey}`, ...init.headers },
      }),
    stop: async () => {
      await postrider.stop();
      if (shared === undefined) await database.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
