import { Injectable } from '@nestjs/common';
import { Client } from 'pg';
import { Database } from './database.js';
import { DirectConnection } from './database-address.js';
import { limitedConnection, longLimits } from './time-limits.js';

/**
 * A connection of its own, outside the pool, for work in the background that reads or writes a whole day, or holds a lock
 * of its session meanwhile. Its statements have `longLimits`; the caller ends it.
 */
@Injectable()
export class LongSessions {
  constructor(
    private readonly connection: DirectConnection,
    private readonly database: Database,
  ) {}

  async open(name: string): Promise<Client> {
    const session = new Client({
      connectionString: this.connection.url,
      application_name: name,
      ...limitedConnection(longLimits),
    });
    // What waits for an answer hears of a loss by itself; without a listener it would end the process.
    session.on('error', () => undefined);
    await session.connect();
    return session;
  }

  /** Ends a session from outside while it may be in the middle of a statement. Does nothing where the database is away. */
  async terminate(session: Client): Promise<void> {
    const { processID } = session as { processID?: number };
    if (processID === undefined) return;
    await this.database
      .execute({ text: 'SELECT pg_terminate_backend($1)', values: [processID] })
      .catch(() => undefined);
  }
}
