import { Injectable } from '@nestjs/common';
import type { Client } from 'pg';
import { Database } from './database.js';
import { DirectConnection } from './database-address.js';
import { clientFor } from './primary-server.js';
import { limitedConnection, longLimits } from './time-limits.js';

/**
 * Opens connections outside the pool, for background work that reads or writes a whole day, or that holds a session lock.
 * Their statements have `longLimits`. The caller ends the connection.
 */
@Injectable()
export class LongSessions {
  constructor(
    private readonly connection: DirectConnection,
    private readonly database: Database,
  ) {}

  async open(name: string): Promise<Client> {
    const session = clientFor(this.connection.url, {
      application_name: name,
      ...limitedConnection(longLimits),
    });
    // Pending statements are rejected when the connection is lost. Without a listener the error would end the process.
    session.on('error', () => undefined);
    await session.connect();
    return session;
  }

  /** Ends a session from outside while it may be in the middle of a statement. Does nothing if the database is away. */
  async terminate(session: Client): Promise<void> {
    const { processID } = session as { processID?: number };
    if (processID === undefined) return;
    await this.database
      .execute({ text: 'SELECT pg_terminate_backend($1)', values: [processID] })
      .catch(() => undefined);
  }
}
