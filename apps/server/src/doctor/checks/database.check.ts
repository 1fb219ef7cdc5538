import { Database } from '#postgres/database';
import { Injectable } from '@nestjs/common';
import { migrations } from '../../database/migrations/index.js';
import { DoctorCheck, DoctorFinding, green, red } from '../check.js';

const minVersion = 150_000;

@Injectable()
export class DatabaseCheck extends DoctorCheck {
  readonly name = 'Database';

  constructor(private readonly database: Database) {
    super();
  }

  async run(): Promise<readonly DoctorFinding[]> {
    const [settings] = await this.database.query<{ version: number; fsync: string }>({
      text: `SELECT current_setting('server_version_num')::int AS version, current_setting('fsync') AS fsync`,
    });
    if (settings === undefined) return [red('did not respond', 'Read the log of PostgreSQL.')];
    return [versionFinding(settings.version), durabilityFinding(settings), await this.schemaFinding()];
  }

  private async schemaFinding(): Promise<DoctorFinding> {
    const rows = await this.database.query<{ name: string }>({ text: 'SELECT name FROM migrations' });
    const applied = new Set(rows.map(({ name }) => name));
    const missing = migrations.filter((migration) => !applied.has(migration.name));
    if (missing.length === 0) return green('has the schema of this version');
    return red(`lacks ${missing.length} migrations`, 'Start the program once: it brings the schema up to date.');
  }
}

function versionFinding(version: number): DoctorFinding {
  const major = Math.floor(version / 10_000);
  if (version >= minVersion) return green(`is PostgreSQL ${major}`);
  return red(`is PostgreSQL ${major}`, 'Use PostgreSQL 15 or newer.');
}

/** The program sets synchronous_commit for each transaction; fsync is a setting of the whole server. */
function durabilityFinding({ fsync }: { fsync: string }): DoctorFinding {
  if (fsync === 'on') return green('commits are durable');
  return red(`may lose accepted mail: fsync is ${fsync}`, 'Set fsync = on in postgresql.conf.');
}
