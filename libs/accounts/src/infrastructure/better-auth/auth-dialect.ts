import { AsyncLocalStorage } from 'node:async_hooks';
import { isDatabaseTrouble } from '#kernel';
import { Database, DatabaseTransaction } from '#postgres/database';
import type { CompiledQuery, DatabaseConnection, Dialect, Driver, QueryResult } from 'kysely';
import { inContexts } from './async-contexts.js';

/**
 * Lets Kysely, which better-auth writes its statements with, use the pool, the time limits and the durable commits of
 * `Database`. There is no second pool, and nothing that a pooler in transaction mode would refuse: each statement is a
 * transaction of its own unless Kysely has begun one.
 */
export function authDialect(database: Database, kysely: typeof import('kysely')): Dialect {
  return {
    createAdapter: () => new kysely.PostgresAdapter(),
    createDriver: () => new DatabaseDriver(database),
    createIntrospector: (db) => new kysely.PostgresIntrospector(db),
    createQueryCompiler: () => new kysely.PostgresQueryCompiler(),
  };
}

const requests = new AsyncLocalStorage<{ trouble?: Error }>();

/**
 * Handles a request, and rejects with the trouble that the database had meanwhile. better-auth takes it for a missing
 * session in some places and answers 500 in others.
 */
export async function unlessDatabaseTrouble(handle: () => Promise<Response>): Promise<Response> {
  const request: { trouble?: Error } = {};
  const response = await inContexts([requests], () => requests.run(request, handle));
  if (request.trouble !== undefined) throw request.trouble;
  return response;
}

/** Remembers an error if it is trouble with the database. Returns whether it is. */
export function noteDatabaseTrouble(error: unknown): boolean {
  const isTrouble = isDatabaseTrouble(error);
  const request = requests.getStore();
  if (request !== undefined && isTrouble) request.trouble = error as Error;
  return isTrouble;
}

function noted(error: Error): never {
  noteDatabaseTrouble(error);
  throw error;
}

class DatabaseDriver implements Driver {
  constructor(private readonly database: Database) {}

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    return new Connection(this.database);
  }

  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    (connection as Connection).beginLater();
  }

  commitTransaction(connection: DatabaseConnection): Promise<void> {
    return (connection as Connection).end('commit').catch(noted);
  }

  rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    return (connection as Connection).end('rollback');
  }

  async releaseConnection(): Promise<void> {}

  async destroy(): Promise<void> {}
}

const rolledBack = new Error('Kysely rolled the transaction back');

interface Open {
  readonly transaction: DatabaseTransaction;
  finish(how: 'commit' | 'rollback'): void;
  readonly done: Promise<void>;
}

/** With READ COMMITTED, it sees the same inside and outside of a transaction that has written nothing yet. */
const isPlainRead = (sql: string): boolean =>
  sql.startsWith('select ') && !/ for (?:no key )?(?:update|share)\b/.test(sql);

class Connection implements DatabaseConnection {
  private open: Open | undefined;
  private shallBegin = false;

  constructor(private readonly database: Database) {}

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    const statement = { text: sql, values: [...parameters] };
    if (this.shallBegin && !isPlainRead(sql)) await this.begin().catch(noted);
    const sent =
      this.open === undefined
        ? this.database.run((transaction) => transaction.send(statement))
        : this.open.transaction.send(statement);
    const { rows, rowCount } = await sent.catch(noted);
    return { rows: rows as Row[], numAffectedRows: BigInt(rowCount ?? 0) };
  }

  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error('Streaming is not supported');
  }

  /**
   * The transaction begins with its first write. better-auth hashes passwords and asks others (who is invited) in between,
   * and a few people who sign up at once would hold all connections of the pool while they wait for one more.
   */
  beginLater(): void {
    this.shallBegin = true;
  }

  /** `Database.run` takes the work as a function. It is kept open here until Kysely commits or rolls back. */
  private begin(): Promise<void> {
    this.shallBegin = false;
    return new Promise((begun, failed) => {
      const done = this.database
        .run((transaction) => {
          return new Promise<void>((resolve, reject) => {
            const finish = (how: 'commit' | 'rollback'): void => (how === 'commit' ? resolve() : reject(rolledBack));
            this.open = { transaction, finish, done: Promise.resolve().then(() => done) };
            begun();
          });
        })
        // No transaction could be begun, or it could not be committed.
        .catch((error: Error) => {
          if (error === rolledBack) return;
          failed(error);
          throw error;
        });
      done.catch(() => undefined);
    });
  }

  async end(how: 'commit' | 'rollback'): Promise<void> {
    const { open } = this;
    this.open = undefined;
    this.shallBegin = false;
    open?.finish(how);
    await open?.done;
  }
}
