import { Transaction, WorkSignal } from '#kernel';
import { Injectable, OnApplicationShutdown, OnModuleInit } from '@nestjs/common';
import type { Client } from 'pg';
import { Logger } from '#observability/logging';
import { DirectConnection } from './database-address.js';
import { Database } from './database.js';
import { statementsOf } from './database-transaction.js';
import { clientFor } from './primary-server.js';
import { limitedConnection, ordinaryLimits } from './time-limits.js';

const channel = 'postrider_broadcast';
const reconnectMs = 500;

type Listener = (payload: string) => void;

/**
 * Notifies all processes of a change (PostgreSQL LISTEN/NOTIFY), so that they can clear short-lived caches.
 *
 * A process without a connection misses notifications. So its listeners are called with an empty payload, which means that
 * they must forget everything, when the connection is lost and again when it is restored.
 */
@Injectable()
export class ProcessNotifications extends WorkSignal implements OnModuleInit, OnApplicationShutdown {
  private readonly listeners = new Map<string, Listener[]>();
  private client: Client | undefined;
  private stopped = false;
  private retry: NodeJS.Timeout | undefined;

  constructor(
    private readonly connection: DirectConnection,
    private readonly database: Database,
    private readonly logger: Logger,
  ) {
    super();
  }

  on(topic: string, listener: Listener): void {
    this.listeners.set(topic, [...(this.listeners.get(topic) ?? []), listener]);
  }

  /**
   * Notifies all processes, including this one. With a transaction, at its commit. The payload is an id, never a
   * secret.
   */
  async send(topic: string, payload: string, transaction?: Transaction): Promise<void> {
    const statements = transaction === undefined ? this.database : statementsOf(transaction);
    await statements.execute({ text: 'SELECT pg_notify($1, $2)', values: [channel, `${topic}:${payload}`] });
  }

  async tell(topic: string, payload: string): Promise<void> {
    try {
      await this.send(topic, payload);
    } catch (error) {
      this.logger.warn({ error, topic, payload }, 'a wake-up could not be sent; the sweep will find the work');
    }
  }

  /**
   * Sends several payloads at once, outside any transaction. Does not wait for the disk, since notifications are not
   * stored.
   */
  async sendAll(topic: string, payloads: readonly string[]): Promise<void> {
    await this.database.execute({
      name: 'broadcast-all',
      text: `SELECT set_config('synchronous_commit', 'off', true), pg_notify($1, message)
             FROM unnest($2::text[]) AS messages (message)`,
      values: [channel, payloads.map((payload) => `${topic}:${payload}`)],
    });
  }

  async onModuleInit(): Promise<void> {
    await this.connect();
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.retry);
    await this.client?.end().catch(() => undefined);
  }

  private async connect(): Promise<void> {
    const client = clientFor(this.connection.url, {
      application_name: 'postrider-broadcast',
      ...limitedConnection(ordinaryLimits),
    });
    client.on('notification', (message) => this.dispatch(message.payload ?? ''));
    client.on('error', () => this.reconnect(client));
    client.on('end', () => this.reconnect(client));
    this.client = client;
    try {
      await client.connect();
      await client.query(`LISTEN ${channel}`);
      this.forgetEverything();
    } catch (error) {
      this.logger.warn({ error }, 'cannot listen for broadcasts; it is tried again');
      this.reconnect(client);
    }
  }

  private reconnect(client: Client): void {
    if (this.stopped || this.client !== client) return;
    this.client = undefined;
    client.end().catch(() => undefined);
    this.forgetEverything();
    this.retry = setTimeout(() => void this.connect(), reconnectMs);
  }

  private dispatch(message: string): void {
    const colon = message.indexOf(':');
    const listeners = this.listeners.get(message.slice(0, colon)) ?? [];
    for (const listener of listeners) listener(message.slice(colon + 1));
  }

  private forgetEverything(): void {
    for (const listeners of this.listeners.values()) for (const listener of listeners) listener('');
  }
}
