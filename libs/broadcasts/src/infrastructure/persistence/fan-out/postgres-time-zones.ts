import { Database } from '#platform/database';
import { Injectable } from '@nestjs/common';
import { TimeZones } from '../../../application/ports/time-zones.port.js';

/** The names that PostgreSQL knows, which include the earlier ones that Node does not list. Read once: it takes a tenth of a second. */
@Injectable()
export class PostgresTimeZones extends TimeZones {
  private known: Promise<readonly string[]> | undefined;

  constructor(private readonly database: Database) {
    super();
  }

  names(): Promise<readonly string[]> {
    this.known ??= this.read();
    this.known.catch(() => (this.known = undefined));
    return this.known;
  }

  private async read(): Promise<readonly string[]> {
    const rows = await this.database.query<{ name: string }>({
      text: `SELECT name FROM pg_timezone_names WHERE name !~ '^(posix|right)/' ORDER BY name`,
    });
    return rows.map(({ name }) => name);
  }
}
