import { Injectable, OnApplicationShutdown } from '@nestjs/common';
import type { Client } from 'pg';
import { DirectConnection } from './database-address.js';
import { DatabaseTransaction } from './database-transaction.js';
import { clientFor } from './primary-server.js';
import { limitedConnection, ordinaryLimits } from './time-limits.js';

/**
 * Time limit of each statement. None of them waits for a lock, so a slower response means that the database is
 * unavailable.
 */
const maxAnswerMs = 10_000;

/**
 * Numbered locks that only one process at a time can hold: session-level advisory locks of PostgreSQL, on a separate
 * connection that is opened with the first lock. They are released when the process dies.
 *
 * When the connection is lost, the locks are lost too, while the work that they protect continues. The next call opens
 * a new connection and tries to acquire the same locks again. Other processes may have acquired them before.
 */
@Injectable()
export class SessionLocks implements OnApplicationShutdown {
  private client: Promise<Client> | undefined;
  private readonly held = new Map<string, readonly [key: number, number: number]>();

  private closed = false;
  protected readonly answerMs: number = maxAnswerMs;

  constructor(private readonly connection: DirectConnection) {}

  /** The program has stopped, and no locks can be acquired any more. */
  get isClosed(): boolean {
    return this.closed;
  }

  /** Acquires a free number below `limit`. Undefined if all of them are held, by this process or others. */
  async takeBelow(key: number, limit: number): Promise<number | undefined> {
    const client = await this.connected();
    const free = Array.from({ length: limit }, (_, number) => number).filter(
      (number) => !this.held.has(name(key, number)),
    );
    const { rows } = await client.query<{ number: number }>({
      name: 'take-lock-below',
      // Rows are evaluated one after the other, and LIMIT 1 stops after the first lock that is acquired.
      text: 'SELECT number FROM unnest($2::int[]) AS candidates (number) WHERE pg_try_advisory_lock($1, number) LIMIT 1',
      values: [key, free],
    });
    const number = rows[0]?.number;
    if (number === undefined) return undefined;
    // A concurrent call of this process may have acquired the same number. The session then holds it twice, so one is
    // released.
    if (this.held.has(name(key, number))) {
      await this.unlock(client, key, number);
      return this.takeBelow(key, limit);
    }
    this.held.set(name(key, number), [key, number]);
    return number;
  }

  async release(key: number, number: number): Promise<void> {
    if (!this.held.delete(name(key, number))) return;
    await this.unlock(await this.connected(), key, number);
  }

  async onApplicationShutdown(): Promise<void> {
    this.closed = true;
    const client = await this.client?.catch(() => undefined);
    await client?.end().catch(() => undefined);
  }

  private async unlock(client: Client, key: number, number: number): Promise<void> {
    await client.query({ name: 'unlock', text: 'SELECT pg_advisory_unlock($1, $2)', values: [key, number] });
  }

  private connected(): Promise<Client> {
    if (this.closed) return Promise.reject(new Error('The program has stopped'));
    if (this.client !== undefined) return this.client;
    const client: Promise<Client> = this.connect(() => {
      // A newer connection, which has the locks, may have replaced this one.
      if (this.client === client) this.client = undefined;
    });
    return (this.client = client);
  }

  private async connect(lost: () => void): Promise<Client> {
    const client = clientFor(this.connection.url, {
      // Statements of several callers are pipelined. The types do not declare this option.
      ...({ pipeline: true } as object),
      ...limitedConnection(ordinaryLimits),
      application_name: 'postrider-locks',
      connectionTimeoutMillis: this.answerMs,
      // On a timeout, the client closes the connection and rejects all pending statements.
      query_timeout: this.answerMs,
    });
    const giveUp = (): void => {
      lost();
      client.end().catch(() => undefined);
    };
    client.on('error', giveUp);
    client.on('end', lost);
    try {
      await client.connect();
      for (const lock of this.held.values()) await client.query('SELECT pg_try_advisory_lock($1, $2)', [...lock]);
      return client;
    } catch (error) {
      giveUp();
      throw error;
    }
  }
}

const name = (key: number, number: number): string => `${key}:${number}`;

/**
 * Locks a name until the transaction ends, over all processes. Transactions that add to what a team may have at most `n`
 * of lock its name and count in a later statement: a statement that waits, or counts while it inserts, does not see what
 * others insert at the same time. Nothing else of the team waits.
 */
export async function lockName(name: string, transaction: DatabaseTransaction): Promise<void> {
  await transaction.execute({
    name: 'lock-name',
    text: 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))',
    values: [name],
  });
}
