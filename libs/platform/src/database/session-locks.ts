import { Injectable, OnApplicationShutdown } from '@nestjs/common';
import { Client } from 'pg';
import { DirectConnection } from './database-address.js';
import { limitedConnection, ordinaryLimits } from './time-limits.js';

/** None of the statements waits for anybody: who does not answer by then is away. */
const maxAnswerMs = 10_000;

/**
 * Numbered locks that this process holds against all others on the database, for as long as it lives: PostgreSQL's
 * advisory locks, on a connection of their own that is made when the first is asked for. A process that dies has none.
 *
 * When the connection is lost, so are the locks, though what they stand for goes on: the next use makes another connection
 * and asks for the same locks again, and until then others may have taken them.
 */
@Injectable()
export class SessionLocks implements OnApplicationShutdown {
  private client: Promise<Client> | undefined;
  private readonly held = new Map<string, readonly [key: number, number: number]>();

  private closed = false;
  protected readonly answerMs: number = maxAnswerMs;

  constructor(private readonly connection: DirectConnection) {}

  /** The program has stopped: there are no locks to be had any more. */
  get isClosed(): boolean {
    return this.closed;
  }

  /** Takes one of the numbers below a limit that nobody holds, this process included; undefined where there is none. */
  async takeBelow(key: number, limit: number): Promise<number | undefined> {
    const client = await this.connected();
    const free = Array.from({ length: limit }, (_, number) => number).filter(
      (number) => !this.held.has(name(key, number)),
    );
    const { rows } = await client.query<{ number: number }>({
      name: 'take-lock-below',
      // One row after the other: the first that can be had ends it.
      text: 'SELECT number FROM unnest($2::int[]) AS candidates (number) WHERE pg_try_advisory_lock($1, number) LIMIT 1',
      values: [key, free],
    });
    const number = rows[0]?.number;
    if (number === undefined) return undefined;
    // Another call of this process may have had the same idea: the session has it twice then, and one is given back.
    if (this.held.has(name(key, number))) {
      await this.unlock(client, key, number);
      return this.takeBelow(key, limit);
    }
    this.held.set(name(key, number), [key, number]);
    return number;
  }

  async giveBack(key: number, number: number): Promise<void> {
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
      // Another one may have taken its place by then, and has the locks.
      if (this.client === client) this.client = undefined;
    });
    return (this.client = client);
  }

  private async connect(lost: () => void): Promise<Client> {
    const client = new Client({
      // Statements of several callers travel together, as everywhere else; the types do not know of it yet.
      ...({ pipeline: true } as object),
      connectionString: this.connection.url,
      ...limitedConnection(ordinaryLimits),
      application_name: 'postrider-locks',
      connectionTimeoutMillis: this.answerMs,
      // The client gives such a connection up by itself, and with it all that waits on it.
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
