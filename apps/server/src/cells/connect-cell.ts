import { Client, escapeIdentifier, escapeLiteral } from 'pg';
import { DomainError } from '#kernel';
import { notifyingTables, sharedTables } from './shared-tables.js';

/** The databases of an installation's cells. */
export interface CellDatabases {
  /** The cell to be connected, and the URL of its database, without a pooler. */
  readonly own: string;
  readonly url: string;
  readonly home: string;
  /** URLs of the other databases, by cell, as the own database server reaches them. */
  readonly others: ReadonlyMap<string, string>;
}

/** What was done for each cell whose changes this one follows. */
export interface ConnectedCell {
  readonly from: string;
  readonly state: 'connected' | 'connected before' | 'not ready';
}

/** Everything that the home cell changes. */
const shared = 'postrider_shared';
/** Work that each cell does by itself in its own mail. */
const tasks = 'postrider_tasks';
/** Each cell finds addresses that must not be written to. The home cell removes them. */
const suppressions = 'postrider_suppressions';
const minVersion = 160_000;

export class CannotConnectError extends DomainError {
  constructor(message: string) {
    super('invalid', 'validation_error', message);
  }
}

/**
 * Connects the database of a cell with those of the others, by PostgreSQL's logical replication. May be repeated: it does
 * what is missing, and follows changes of the schema. Where another cell is not ready, that is in the result.
 */
export async function connectCell({ own, url, home, others }: CellDatabases): Promise<readonly ConnectedCell[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await checkServer(client);
    await publish(client, own === home);
    const results: ConnectedCell[] = [];
    for (const [from, conninfo] of others) {
      const publications = from === home ? [shared, tasks, suppressions] : [suppressions];
      const state = await subscribe(client, { own, from, conninfo, publications });
      results.push({ from, state });
    }
    return results;
  } finally {
    await client.end();
  }
}

async function checkServer(client: Client): Promise<void> {
  const { rows } = await client.query<{ level: string; version: number }>(
    `SELECT current_setting('wal_level') AS level, current_setting('server_version_num')::int AS version`,
  );
  const [{ level, version } = { level: '', version: 0 }] = rows;
  if (version < minVersion) throw new CannotConnectError('Cells need PostgreSQL 16 or newer.');
  if (level !== 'logical') {
    throw new CannotConnectError(
      'PostgreSQL must be started with wal_level = logical, so that cells can be told of changes.',
    );
  }
}

async function publish(client: Client, isHome: boolean): Promise<void> {
  // Both sides may add the same address, under different ids: it is removed by its address.
  await client.query('ALTER TABLE suppressions REPLICA IDENTITY USING INDEX suppressions_team_id_email_key');
  await publishTables(client, suppressions, ['suppressions'], 'insert, delete');
  if (isHome) {
    await publishTables(client, shared, sharedTables, 'insert, update, delete, truncate');
    await publishTables(client, tasks, ['privacy_erasures'], 'insert');
  }
  await followChanges(client);
}

async function publishTables(
  client: Client,
  name: string,
  tables: readonly string[],
  operations: string,
): Promise<void> {
  const { rowCount } = await client.query('SELECT FROM pg_publication WHERE pubname = $1', [name]);
  const list = tables.map(escapeIdentifier).join(', ');
  if (rowCount === 0) {
    await client.query(`CREATE PUBLICATION ${name} FOR TABLE ${list} WITH (publish = ${escapeLiteral(operations)})`);
  } else {
    await client.query(`ALTER PUBLICATION ${name} SET TABLE ${list}`);
  }
}

/**
 * Triggers that only replication calls. A row that is there already is skipped, because it would stop the replication of
 * everything after it. Processes that have cached a row are told to forget it.
 */
async function followChanges(client: Client): Promise<void> {
  await client.query(`
    CREATE OR REPLACE FUNCTION skip_known_suppression() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF EXISTS (SELECT FROM public.suppressions s WHERE s.team_id = NEW.team_id AND s.email = NEW.email) THEN RETURN NULL; END IF;
      RETURN NEW;
    END $$;
    CREATE OR REPLACE TRIGGER skip_known BEFORE INSERT ON suppressions
      FOR EACH ROW EXECUTE FUNCTION skip_known_suppression();
    ALTER TABLE suppressions ENABLE REPLICA TRIGGER skip_known;
    CREATE OR REPLACE FUNCTION tell_of_replicated() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM pg_notify('postrider_broadcast', TG_ARGV[0] || ':');
      RETURN NULL;
    END $$;`);
  for (const [table, topic] of notifyingTables) {
    await client.query(`
      CREATE OR REPLACE TRIGGER tell_of_replicated AFTER INSERT OR UPDATE OR DELETE ON ${escapeIdentifier(table)}
        FOR EACH ROW EXECUTE FUNCTION tell_of_replicated(${escapeLiteral(topic)});
      ALTER TABLE ${escapeIdentifier(table)} ENABLE REPLICA TRIGGER tell_of_replicated;`);
  }
}

interface Subscription {
  readonly own: string;
  readonly from: string;
  readonly conninfo: string;
  readonly publications: readonly string[];
}

async function subscribe(
  client: Client,
  { own, from, conninfo, publications }: Subscription,
): Promise<ConnectedCell['state']> {
  if (!(await areReady(conninfo, publications))) return 'not ready';
  // The name is also that of the slot in the other database, where each cell has its own.
  const name = `postrider_${own}_from_${from}`.replaceAll('-', '_');
  const { rowCount } = await client.query(
    'SELECT FROM pg_subscription s JOIN pg_database d ON d.oid = s.subdbid WHERE subname = $1 AND d.datname = current_database()',
    [name],
  );
  if (rowCount !== 0) {
    await client.query(`ALTER SUBSCRIPTION ${name} CONNECTION ${escapeLiteral(conninfo)}`);
    await client.query(`ALTER SUBSCRIPTION ${name} REFRESH PUBLICATION`);
    return 'connected before';
  }
  if (publications.includes(shared)) await checkEmpty(client);
  await client.query(
    `CREATE SUBSCRIPTION ${name} CONNECTION ${escapeLiteral(conninfo)} PUBLICATION ${publications.join(', ')} WITH (origin = none)`,
  );
  return 'connected';
}

/** A cell begins with nothing of its own, because rows of both sides could contradict each other. */
async function checkEmpty(client: Client): Promise<void> {
  const { rowCount } = await client.query('SELECT FROM teams LIMIT 1');
  if (rowCount !== 0)
    throw new CannotConnectError('The database has teams of its own. A new cell begins with an empty database.');
}

async function areReady(conninfo: string, publications: readonly string[]): Promise<boolean> {
  const client = new Client({ connectionString: conninfo });
  try {
    await client.connect();
    const { rowCount } = await client.query('SELECT FROM pg_publication WHERE pubname = ANY ($1)', [publications]);
    return rowCount === publications.length;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}
