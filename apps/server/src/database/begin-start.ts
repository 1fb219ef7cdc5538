import { mkdir } from 'node:fs/promises';
import type { Config } from '#platform/config';
import { Logger } from '#observability/logging';
import type { DatabaseAddress } from '#postgres/database';
import { lockDataDir, startEmbeddedPostgres } from '#postgres/embedded';
import { Teardown } from '../teardown.js';
import { configuredDatabase } from './configured-database.js';

/** A start whose database is being opened. */
export interface BegunStart {
  readonly config: Config;
  readonly logger: Logger;
  readonly teardown: Teardown;
  readonly database: Promise<DatabaseAddress>;
}

/** Opens the database. The embedded PostgreSQL starts in processes of its own, while this one loads its modules. */
export function beginStart(config: Config): BegunStart {
  const logger = Logger.create(config.values.logLevel);
  const teardown = new Teardown();
  const database = openDatabase(config, logger, teardown);
  // Whoever goes on with the start awaits it, after the modules are loaded.
  database.catch(() => undefined);
  return { config, logger, teardown, database };
}

async function openDatabase(config: Config, logger: Logger, teardown: Teardown): Promise<DatabaseAddress> {
  const { dataDir, databasePool, workers } = config.values;
  await mkdir(dataDir, { recursive: true, mode: 0o711 });
  const given = configuredDatabase(config);
  if (given !== undefined) return given;
  const lock = await lockDataDir(dataDir);
  teardown.add(() => lock.release());
  const postgres = await startEmbeddedPostgres({
    dataDir,
    settings: { max_connections: String(Math.max(100, 20 + (workers + 1) * (databasePool + 10))) },
    onLog: (line) => logger.debug({ line }, 'postgres'),
    onExit: ({ signal, code, log }) =>
      logger.error({ signal, code, log }, 'the embedded PostgreSQL ended unexpectedly and is started again'),
    onRestartTrouble: (error) =>
      logger.error({ error }, 'the embedded PostgreSQL does not start; the start is tried again'),
  });
  teardown.add(() => postgres.stop());
  return { url: postgres.url, directUrl: postgres.url };
}
