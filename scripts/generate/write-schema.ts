import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { startEmbeddedPostgres } from '#postgres/embedded';
import { migrate } from '../../apps/server/src/database/migrate.js';
import { schemaText } from './schema-text.js';

export const schemaFile = 'apps/server/src/database/schema.sql';

/** Migrates an empty database and writes its schema to a file. */
async function writeSchema(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'postrider-schema-'));
  const server = await startEmbeddedPostgres({ dataDir, onLog: () => {} });
  try {
    await migrate(server.url);
    const client = new Client({ connectionString: server.url });
    await client.connect();
    await writeFile(schemaFile, await schemaText(client));
    await client.end();
  } finally {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

if (process.argv[1]?.endsWith('write-schema.js') === true) await writeSchema();
