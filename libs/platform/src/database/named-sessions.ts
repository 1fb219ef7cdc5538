import type { Socket } from 'node:net';
import { Injectable } from '@nestjs/common';
import { Client } from 'pg';
import { DirectConnection } from './database-address.js';
import { Statement } from './database.js';
import { limitedConnection, ordinaryLimits } from './time-limits.js';

/** Sessions outside the pool that others find by their name in `pg_stat_activity`. */
@Injectable()
export class NamedSessions {
  constructor(private readonly connection: DirectConnection) {}

  /** Connects with the first statement. `answerMs`: for each answer; 0 leaves that to the caller. */
  open(name: string, answerMs: number): NamedSession {
    return new NamedSession(this.connection.url, name, answerMs);
  }
}

/**
 * A session that stands for as long as this process lives and can be reached: PostgreSQL ends it when the process dies, or
 * 25 seconds after its machine was last heard of. A connection that broke or did not answer is made again with the next
 * statement.
 */
export class NamedSession {
  private client: Promise<Client> | undefined;
  private current: Client | undefined;
  private hasEnded = false;

  constructor(
    private readonly databaseUrl: string,
    private readonly name: string,
    private readonly answerMs: number,
  ) {}

  async execute(statement: Statement): Promise<void> {
    const client = await this.connected();
    try {
      await client.query(statement);
    } catch (error) {
      // An answer that is late would be taken for that of the next statement.
      if ((error as { code?: unknown }).code === undefined) this.giveUp(client);
      throw error;
    }
  }

  /** What waits for an answer fails; the next statement connects anew. */
  interrupt(): void {
    if (this.current !== undefined) this.giveUp(this.current);
  }

  end(): void {
    this.hasEnded = true;
    this.interrupt();
  }

  private connected(): Promise<Client> {
    if (this.hasEnded) return Promise.reject(new Error('The session has ended'));
    return (this.client ??= this.connect());
  }

  private async connect(): Promise<Client> {
    const client = new Client({
      connectionString: this.databaseUrl,
      ...limitedConnection(ordinaryLimits),
      application_name: this.name,
      query_timeout: this.answerMs,
    });
    const lost = (): void => this.giveUp(client);
    client.once('error', lost).on('end', lost);
    client.on('error', () => undefined);
    this.current = client;
    try {
      await client.connect();
      // Where the machine is gone without a word. A socket on this machine has no such thing.
      await client.query(
        `SELECT set_config('tcp_keepalives_idle', '10', false), set_config('tcp_keepalives_interval', '5', false),
                set_config('tcp_keepalives_count', '3', false)`,
      );
      return client;
    } catch (error) {
      lost();
      throw error;
    }
  }

  /** Without a goodbye, which would wait for whatever has not been answered. */
  private giveUp(client: Client): void {
    if (this.current !== client) return;
    this.current = undefined;
    this.client = undefined;
    (client as unknown as { connection: { stream: Socket } }).connection.stream.destroy();
  }
}
