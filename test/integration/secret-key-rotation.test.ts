import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { Resend } from 'resend';
import { DnsResolver, InMemoryDnsResolver, SendingDomains } from '#domains';
import { newId } from '#kernel';
import { Adapters } from '#platform/adapters';
import { readConfig } from '#platform/config';
import { Database } from '#postgres/database';
import { Postrider, startPostrider } from '../../apps/server/src/postrider.js';
import { createTestDatabase, TestDatabase } from '../support/servers/test-database.js';
import { until } from '../support/runner/until.js';

const secret = (): string => randomBytes(32).toString('base64');
let database: TestDatabase;
let dataDir: string;

beforeEach(async () => {
  database = await createTestDatabase();
  dataDir = await mkdtemp(join(tmpdir(), 'postrider-secret-'));
});

afterEach(async () => {
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});

function start(secretKey: string, previous = ''): Promise<Postrider> {
  return startPostrider({
    config: readConfig({
      DATABASE_URL: database.url,
      SECRET_KEY: secretKey,
      SECRET_KEY_PREVIOUS: previous,
      DATA_DIR: dataDir,
      HTTP_PORT: '0',
      LOG_LEVEL: 'fatal',
    }),
    adapters: new Adapters().use(DnsResolver, new InMemoryDnsResolver()),
  });
}

const sealedKeys = (postrider: Postrider) =>
  postrider.app
    .get(Database)
    .query<{ sealed: Buffer }>({ text: 'SELECT sealed_private_key AS sealed FROM dkim_keys ORDER BY id' });

it('private keys survive a new SECRET_KEY, and after one start with both the earlier one is not needed', async () => {
  const [earlier, present] = [secret(), secret()];
  let postrider = await start(earlier);
  const resend = new Resend(postrider.firstStart?.apiKey, { baseUrl: postrider.url });
  const { data } = await resend.domains.create({ name: 'sealed.test' });
  const id = data?.id as string;
  const before = await postrider.app.get(SendingDomains).signingKeys(id);
  const sealed = await sealedKeys(postrider);
  await postrider.stop();

  postrider = await start(present, earlier);
  expect(await postrider.app.get(SendingDomains).signingKeys(id)).toEqual(before);
  await until(async () =>
    (await sealedKeys(postrider)).every((row, index) => !row.sealed.equals(sealed[index]!.sealed)),
  );
  await postrider.stop();

  postrider = await start(present);
  expect(await postrider.app.get(SendingDomains).signingKeys(id)).toEqual(before);
  await postrider.stop();
});

it('signing secrets of webhooks survive a new SECRET_KEY as well', async () => {
  const [earlier, present] = [secret(), secret()];
  const apiKey = `re_rotating_${randomBytes(12).toString('hex')}`;
  let postrider = await start(earlier);
  const team = postrider.app.get(Database);
  await team.execute({
    text: `INSERT INTO api_keys (id, team_id, name, permission, token_hash, created_at)
           SELECT $1, id, 'Key', 'full_access', $2, now() FROM teams LIMIT 1`,
    values: [newId(), createHash('sha256').update(apiKey).digest()],
  });
  const client = (): Resend => new Resend(apiKey, { baseUrl: postrider.url });
  const { data } = await client().webhooks.create({ endpoint: 'https://hooks.test/', events: ['email.sent'] });
  const { id, signing_secret } = data ?? { id: '', signing_secret: '' };
  const sealed = async (): Promise<string | undefined> => {
    const text = `SELECT encode(sealed_secret, 'hex') AS sealed FROM webhooks`;
    return (await postrider.app.get(Database).query<{ sealed: string }>({ text }))[0]?.sealed;
  };
  const headers = { authorization: `Bearer ${apiKey}` };
  await fetch(`${postrider.url}/automations/signing-secret/rotate`, { method: 'POST', headers });
  const sealedCalls = async (): Promise<string | undefined> => {
    const text = `SELECT encode(sealed_secret, 'hex') AS sealed FROM automation_secrets`;
    return (await postrider.app.get(Database).query<{ sealed: string }>({ text }))[0]?.sealed;
  };
  const [before, beforeCalls] = [await sealed(), await sealedCalls()];
  expect(beforeCalls).toBeDefined();
  await postrider.stop();

  postrider = await start(present, earlier);
  expect((await client().webhooks.get(id)).data?.signing_secret).toBe(signing_secret);
  await until(async () => (await sealed()) !== before && (await sealedCalls()) !== beforeCalls);
  await postrider.stop();

  postrider = await start(present);
  expect((await client().webhooks.get(id)).data?.signing_secret).toBe(signing_secret);
  await postrider.stop();
});
