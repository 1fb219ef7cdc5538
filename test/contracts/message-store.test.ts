import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { Pool } from 'pg';
import {
  DirectoryMessageStore,
  InMemoryMessageStore,
  PostgresMessageStore,
  maxPipelinedPutBytes,
  s3LocationFromUrl,
  S3MessageStore,
} from '#emails';
import { newId } from '#kernel';
import { Database } from '#postgres/database';
import { startS3Server } from '../support/servers/s3-server.js';
import { createTestDatabase } from '../support/servers/test-database.js';
import { describeMessageStore } from './message-store.contract.js';

describeMessageStore('the message store in memory', async () => ({ store: new InMemoryMessageStore() }));

describeMessageStore('the message store in a directory', async () => {
  const root = await mkdtemp(join(tmpdir(), 'postrider-messages-'));
  return {
    store: new DirectoryMessageStore(root),
    another: new DirectoryMessageStore(root),
    stop: () => rm(root, { recursive: true, force: true }),
  };
});

describeMessageStore('the message store in PostgreSQL', async () => {
  const database = await createTestDatabase();
  const pools = [new Pool({ connectionString: database.url }), new Pool({ connectionString: database.url })] as const;
  return {
    store: new PostgresMessageStore(new Database(pools[0])),
    another: new PostgresMessageStore(new Database(pools[1])),
    stop: async () => {
      await Promise.all(pools.map((pool) => pool.end()));
      await database.drop();
    },
  };
});

describeMessageStore('the message store in S3', async () => {
  const server = await startS3Server();
  return {
    store: new S3MessageStore(s3LocationFromUrl(server.url)),
    another: new S3MessageStore(s3LocationFromUrl(server.url)),
    stop: () => server.stop(),
  };
});

describe('the message store in PostgreSQL', () => {
  it('writes messages up to its limit for one statement before the statements that follow, even before the commit', async () => {
    const testDatabase = await createTestDatabase();
    const pool = new Pool({ connectionString: testDatabase.url });
    try {
      const database = new Database(pool);
      const store = new PostgresMessageStore(database);
      const messages = [maxPipelinedPutBytes - 100_000, 100_000].map((size) => ({
        id: newId(),
        bytes: randomBytes(size),
      }));
      await database.runPipelined(async (transaction) => ({ send: () => store.put(messages, transaction) }));
      const found = await store.get(messages.map(({ id }) => id));
      for (const { id, bytes } of messages) expect(bytes.equals(found.get(id) ?? new Uint8Array())).toBe(true);
    } finally {
      await pool.end();
      await testDatabase.drop();
    }
  });
});

describe('the message store in S3', () => {
  it('retries if the server is busy, and reports a refusal', async () => {
    const server = await startS3Server();
    try {
      const store = new S3MessageStore(s3LocationFromUrl(server.url));
      server.failNext(2);
      await store.put([{ id: newId(), bytes: Buffer.from('x') }]);
      expect([...server.objects.keys()]).toEqual([expect.stringMatching(/^store\/\d{4}-\d\d-\d\d\/[0-9a-f-]{36}$/)]);
      const stranger = new S3MessageStore(s3LocationFromUrl(server.url.replace('AKIATEST:', 'AKIATEST:x')));
      await expect(stranger.get([newId()])).rejects.toThrow('S3 responded to GET with 403 SignatureDoesNotMatch');
    } finally {
      await server.stop();
    }
  });

  it('leaves no temporary file behind, even if the process ends while a message arrives', async () => {
    const server = await startS3Server();
    try {
      const store = new S3MessageStore(s3LocationFromUrl(server.url));
      const id = newId();
      const found: string[][] = [];
      const filesOf = async (): Promise<string[]> => (await readdir(tmpdir())).filter((name) => name.includes(id));
      async function* arriving(): AsyncGenerator<Uint8Array> {
        for (const piece of ['first, ', 'second']) {
          yield Buffer.from(piece);
          found.push(await filesOf());
        }
      }
      await store.write(id, arriving());

      expect(found).toEqual([[], []]);
      expect(Buffer.from((await store.get([id])).get(id) ?? []).toString()).toBe('first, second');
    } finally {
      await server.stop();
    }
  });

  it.each(['https://host/bucket', 'https://key:secret@host/'])('cannot be configured by %s', (url) => {
    expect(() => s3LocationFromUrl(url)).toThrow(RangeError);
  });
});

describe('the message store in a directory', () => {
  it('removes what a process has left that was killed while it wrote', async () => {
    const root = await mkdtemp(join(tmpdir(), 'postrider-messages-'));
    const id = newId();
    const built = pathToFileURL(resolve('dist/libs/emails/src/infrastructure/storage/directory-message-store.js')).href;
    // The last step of a write never comes: the process is killed before it.
    const program = `
      import fs from 'node:fs/promises';
      import { syncBuiltinESMExports } from 'node:module';
      fs.rename = () => process.kill(process.pid, 'SIGKILL');
      syncBuiltinESMExports();
      const { DirectoryMessageStore } = await import('${built}');
      await new DirectoryMessageStore('${root}').put([{ id: '${id}', bytes: new Uint8Array(100) }]);`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
      env: { ...process.env, NODE_OPTIONS: '' },
    });
    expect(await once(child, 'exit')).toEqual([null, 'SIGKILL']);
    const files = async (): Promise<readonly string[]> =>
      (await readdir(root, { recursive: true })).filter((name) => name.includes(id));
    expect(await files()).toHaveLength(1);
    const store = new DirectoryMessageStore(root);
    expect(await store.get([id])).toEqual(new Map());
    await store.remove([id]);
    expect(await files()).toEqual([]);
    await rm(root, { recursive: true, force: true });
  });
});
