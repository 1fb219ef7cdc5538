import { DomainError } from '#kernel';
import { Config, ConfigError, readConfig } from '#platform/config';
import { configuredDatabase } from '../database/configured-database.js';
import { migrate } from '../database/migrate.js';
import { CellDatabases, connectCell } from './connect-cell.js';

const usage = `Usage:
  npm run cells -- connect

Connects the database of this cell with those of the others. Run it in each cell, the home cell first, with the same
CELLS and SECRET_KEY everywhere, and with CELL, DATABASE_URL and
  CELL_DATABASES=name=postgres://…,name=postgres://…   the databases of all other cells
then again in each cell, until every line says "connected".`;

class UsageError extends Error {}

/** `npm run cells -- connect`: how the cells of an installation come to share teams, keys, domains and suppressions. */
async function main(): Promise<void> {
  if (process.argv[2] !== 'connect') throw new UsageError(usage);
  // eslint-disable-next-line no-restricted-syntax -- like the server, this is where the configuration comes from
  const config = readConfig(process.env);
  const databases = databasesOf(config);
  await migrate(databases.url);
  for (const { from, state } of await connectCell(databases)) process.stdout.write(`${from}: ${state}\n`);
}

function databasesOf(config: Config): CellDatabases {
  const { cell, cells, cellDatabases } = config.values;
  const database = configuredDatabase(config);
  const [home] = cells;
  if (cell === undefined || home === undefined || database === undefined) throw new UsageError(usage);
  const others = new Map(cellDatabases.map(({ name, url }) => [name, url]));
  const missing = cells.filter(({ name }) => name !== cell && !others.has(name));
  if (missing.length > 0) throw new UsageError(`CELL_DATABASES lacks ${missing.map(({ name }) => name).join(', ')}.`);
  return { own: cell, url: database.directUrl, home: home.name, others };
}

main().catch((error: unknown) => {
  const text = error instanceof ConfigError ? error.problems.join('\n') : undefined;
  const isForTheOperator = error instanceof UsageError || error instanceof DomainError;
  process.stderr.write(`${text ?? (isForTheOperator ? error.message : String((error as Error).stack))}\n`);
  process.exitCode = 1;
});
