import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { DeliveryTransport, InMemoryDeliveryTransport } from '#delivery';
import { Adapters } from '#platform/adapters';
import { readConfig } from '#platform/config';
import { Database } from '#postgres/database';
import { Postrider, startPostrider } from '../../apps/server/src/postrider.js';
import { testApiKey, testSender } from '../support/programs/program.js';
import { TestAuthority } from '../support/servers/test-authority.js';
import { TlsPostgres } from '../support/servers/tls-postgres.js';
import { until } from '../support/runner/until.js';

const authority = new TestAuthority('Database Authority');
const stranger = new TestAuthority('Another Authority');
let postgres: TlsPostgres;
let dataDir: string;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'postrider-tls-client-'));
  await writeFile(join(dataDir, 'authority.pem'), authority.cert);
  await writeFile(join(dataDir, 'stranger.pem'), stranger.cert);
  postgres = await TlsPostgres.start(authority.issue('localhost'));
});

afterAll(async () => {
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true });
});

const start = (query: string, transport = new InMemoryDeliveryTransport()): Promise<Postrider> =>
  startPostrider({
    config: readConfig({
      DATABASE_URL: `${postgres.url}?${query}`,
      SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
      BOOTSTRAP_API_KEY: testApiKey,
      DATA_DIR: dataDir,
      HTTP_PORT: '0',
      SMTP_LISTEN: 'none',
      LOG_LEVEL: 'fatal',
    }),
    adapters: new Adapters().use(DeliveryTransport, transport),
  });

it('every connection to PostgreSQL uses TLS with a verified certificate', async () => {
  const transport = new InMemoryDeliveryTransport();
  const postrider = await start(`sslmode=verify-full&sslrootcert=${dataDir}/authority.pem`, transport);
  try {
    const response = await fetch(`${postrider.url}/emails`, {
      method: 'POST',
      headers: { authorization: `Bearer ${testApiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ from: testSender, to: 'user@sink.test', subject: 'Over TLS', text: 'Hello' }),
    });
    expect(response.status).toBe(200);
    await until(() => transport.delivered.length === 1);
    const sessions = await postrider.app.get(Database).query<{ name: string; ssl: boolean }>({
      text: `SELECT DISTINCT application_name AS name, ssl
             FROM pg_stat_activity JOIN pg_stat_ssl USING (pid) WHERE backend_type = 'client backend' AND usename IS NOT NULL AND state <> 'starting'`,
    });
    const names = sessions.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['postrider', 'postrider-broadcast', 'postrider-queue']));
    expect(sessions.filter(({ ssl }) => !ssl)).toEqual([]);
  } finally {
    await postrider.stop();
  }
});

it.each([
  ['that another authority signed', (directory: string) => `sslmode=verify-full&sslrootcert=${directory}/stranger.pem`],
  ['that no authority of the system signed', () => 'sslmode=require'],
])('does not start if the server has a certificate %s', async (_, queryOf) => {
  await expect(start(queryOf(dataDir))).rejects.toThrow(/certificate/);
});

it('does not start if the server has a certificate of another host', async () => {
  const query = `host=127.0.0.1&sslmode=verify-full&sslrootcert=${dataDir}/authority.pem`;
  await expect(start(query)).rejects.toThrow(/altnames/);
});

it('accepts any certificate only with sslmode=no-verify', async () => {
  await (await start('sslmode=no-verify')).stop();
});
