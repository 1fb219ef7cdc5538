import { Config, readConfig } from '#platform/config';
import { CommandCall, UsageError } from '../command-line/command.js';
import { configuredDatabase } from '../database/configured-database.js';
import { migrate } from '../database/migrate.js';
import { CellDatabases, connectCell } from './connect-cell.js';

/** `cells connect`: how the cells of an installation come to share teams, keys, domains and suppressions. */
export async function cells({ operands, environment }: CommandCall): Promise<number> {
  if (operands.join(' ') !== 'connect') throw new UsageError('The only thing to do with cells is to connect them.');
  const databases = databasesOf(readConfig(environment));
  await migrate(databases.url);
  for (const { from, state } of await connectCell(databases)) process.stdout.write(`${from}: ${state}\n`);
  return 0;
}

function databasesOf(config: Config): CellDatabases {
  const { cell, cells: all, cellDatabases } = config.values;
  const database = configuredDatabase(config);
  const [home] = all;
  if (cell === undefined || home === undefined || database === undefined)
    throw new UsageError('Set CELL, CELLS and DATABASE_URL.');
  const others = new Map(cellDatabases.map(({ name, url }) => [name, url]));
  const missing = all.filter(({ name }) => name !== cell && !others.has(name));
  if (missing.length > 0) throw new UsageError(`CELL_DATABASES lacks ${missing.map(({ name }) => name).join(', ')}.`);
  return { own: cell, url: database.directUrl, home: home.name, others };
}
