import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DeliveryTransport, InMemoryDeliveryTransport } from '#delivery';
import { Adapters } from '#platform/adapters';
import { Config, readConfig } from '#platform/config';
import { backUp } from '../../apps/server/src/backup/back-up.js';
import { restoreBackup } from '../../apps/server/src/backup/restore-backup.js';
import { Postrider, startPostrider } from '../../apps/server/src/postrider.js';
import { testApiKey } from '../support/programs/program.js';
import { anEmail } from '../support/programs/recording-program.js';
import { until } from '../support/runner/until.js';

describe('a backup', () => {
  let root: string;
  const inRoot = (name: string): string => join(root, name);
  const configOf = (dataDir: string, changes: Record<string, string> = {}): Config =>
    readConfig({
      DATA_DIR: inRoot(dataDir),
      HTTP_PORT: '0',
      SMTP_LISTEN: 'none',
      LOG_LEVEL: 'fatal',
      MESSAGE_STORE: 'directory',
      BOOTSTRAP_API_KEY: testApiKey,
      ...changes,
    });

  beforeAll(async () => (root = await mkdtemp(join(tmpdir(), 'postrider-backup-'))));
  afterAll(() => rm(root, { recursive: true, force: true }));

  /** A program that accepts mail and delivers none: all mail waits in the queue. */
  const startAccepting = (): Promise<Postrider> => startPostrider({ config: configOf('first', { ROLES: 'api' }) });
  const send = async (postrider: Postrider, subject: string): Promise<string> => {
    const response = await fetch(`${postrider.url}/emails`, {
      method: 'POST',
      headers: { authorization: `Bearer ${testApiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(anEmail({ subject })),
    });
    expect(response.status).toBe(200);
    return subject;
  };

  it('taken under load and restored on an empty machine delivers everything in the queue', async () => {
    const first = await startAccepting();
    const before = await Promise.all(Array.from({ length: 100 }, (_, n) => send(first, `before ${n}`)));
    let isOver = false;
    const meanwhile = (async () => {
      for (let n = 0; !isOver; n++) await send(first, `meanwhile ${n}`);
    })();
    await backUp(configOf('first'), inRoot('backup'));
    isOver = true;
    await meanwhile;
    await first.stop();
    await rm(inRoot('first'), { recursive: true });

    // What a restore leaves that was interrupted.
    await mkdir(inRoot('second/restore.incomplete/postgres'), { recursive: true });
    await restoreBackup(configOf('second'), inRoot('backup'));
    const transport = new InMemoryDeliveryTransport();
    const adapters = new Adapters().use(DeliveryTransport, transport);
    const second = await startPostrider({ config: configOf('second'), adapters });
    try {
      expect(second.firstStart).toBeUndefined();
      const arrived = (): string[] =>
        transport.delivered.map(({ content }) => /^Subject: (.*)\r$/m.exec(Buffer.from(content).toString())?.[1] ?? '');
      await until(() => before.every((subject) => arrived().includes(subject)));
      expect(arrived().filter((subject) => subject.startsWith('before'))).toHaveLength(100);
      expect(transport.delivered.every(({ content }) => Buffer.from(content).includes('DKIM-Signature'))).toBe(true);
      await send(second, 'after');
      await until(() => arrived().includes('after'));
    } finally {
      await second.stop();
    }
  }, 300_000);

  it('of a stopped program can be restored as well', async () => {
    await backUp(configOf('second'), inRoot('cold'));
    expect(await readdir(inRoot('cold'))).toEqual(expect.arrayContaining(['messages', 'postgres', 'secret.key']));
    const third = await startPostrider({ config: configOf('cold', { ROLES: 'api' }) });
    await send(third, 'still here');
    await third.stop();
  });

  it('cannot be used without its secret key, and the program says so and creates no other', async () => {
    const key = await readFile(inRoot('cold/secret.key'));
    await rm(inRoot('cold/secret.key'));
    await expect(startPostrider({ config: configOf('cold') })).rejects.toThrow(/secret\.key is missing.*Restore it/);
    expect(await readdir(inRoot('cold'))).not.toContain('secret.key');
    await writeFile(inRoot('cold/secret.key'), randomBytes(32).toString('base64'));
    await expect(startPostrider({ config: configOf('cold') })).rejects.toThrow(/secret\.key is not the secret/);
    const other = configOf('cold', { SECRET_KEY: randomBytes(32).toString('base64') });
    await expect(startPostrider({ config: other })).rejects.toThrow(/^SECRET_KEY is not the secret/);
    await writeFile(inRoot('cold/secret.key'), key);
    await (await startPostrider({ config: configOf('cold', { ROLES: 'api' }) })).stop();
  });

  it('never overwrites files, and is refused inside the data directory', async () => {
    await expect(backUp(configOf('second'), inRoot('cold'))).rejects.toThrow(/is not empty/);
    await expect(backUp(configOf('second'), inRoot('second/backup'))).rejects.toThrow(/outside DATA_DIR/);
    const external = configOf('second', { DATABASE_URL: 'postgres://db.test/x', SECRET_KEY: 'A'.repeat(43) + '=' });
    await expect(backUp(external, inRoot('external'))).rejects.toThrow(/pg_dump/);
    await expect(backUp(configOf('nothing'), inRoot('empty'))).rejects.toThrow(/has not been started/);
  });

  it('is restored only where nothing is, and nothing else is taken for one', async () => {
    await expect(restoreBackup(configOf('second'), inRoot('cold'))).rejects.toThrow(/second is not empty/);
    await expect(restoreBackup(configOf('new'), inRoot('second/messages'))).rejects.toThrow(/is not a backup/);
    const external = configOf('new', { DATABASE_URL: 'postgres://db.test/x', SECRET_KEY: 'A'.repeat(43) + '=' });
    await expect(restoreBackup(external, inRoot('cold'))).rejects.toThrow(/its tools/);
    expect(await readdir(root)).not.toContain('new');
  });
});
