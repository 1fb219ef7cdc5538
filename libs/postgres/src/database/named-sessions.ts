import type { Socket } from 'node:net';
import { Injectable } from '@nestjs/common';
import type { Client } from 'pg';
import { DirectConnection } from './database-address.js';
import { clientFor } from './primary-server.js';
import { Statement } from './statement.js';
import { limitedConnection, ordinaryLimits } from './time-limits.js';

/** Opens sessions outside the pool that other processes find by name in `pg_stat_activity`. */
@Injectable()
export class NamedSessions {
  constructor(private readonly connection: DirectConnection) {}

  /** The session connects with its first statement. `answerMs` is the time limit of each statement; 0: no limit. */
  open(name: string, answerMs: number): NamedSession {
    return new NamedSession(this.connection.url, name, answerMs);
  }
}

/**
 * A session that exists while this process is alive and reachable: PostgreSQL ends it when the process dies, or 25 seconds
 * after the last sign of life of its machine. A connection that broke or did not respond is opened again with the next
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
      // A late result would be taken for the result of the next statement.
      if ((error as { code?: unknown }).code === undefined) this.giveUp(client);
      throw error;
    }
  }

  /** Pending statements fail. The next statement opens a new connection. */
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
    const client = clientFor(this.databaseUrl, {
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
      // Detects a machine that disappears without closing its connection. Has no effect on a Unix socket.
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

  /** Destroys the socket without a Terminate message, which would wait for pending statements. */
  private giveUp(client: Client): void {
    if (this.current !== client) return;
    this.current = undefined;
    this.client = undefined;
    (client as unknown as { connection: { stream: Socket } }).connection.stream.destroy();
  }
}
