import { firstIdAt } from '#kernel';
import { Injectable } from '@nestjs/common';
import { Database } from './database.js';

const day = 86_400_000;

/**
 * A partition begins empty and grows for a day. With a factor of 0.05, as for other tables, it would be sampled anew
 * whenever it has grown by 5 %.
 */
const sampledByHalves = 'autovacuum_analyze_scale_factor = 0.5';

/**
 * For rows that are hardly ever changed: the queries need columns that no index has, so a visibility map gains nothing,
 * and the partition is dropped long before its rows would have to be frozen. A partition with dead versions, such as
 * those of an erasure, is vacuumed as any other.
 */
export const unchanging = 'autovacuum_vacuum_insert_threshold = -1';

/**
 * For wide rows that are found by their key or the key of their team, whatever the statistics say. Sampling 30,000 of
 * them took 1 to 3 s each time in a burst of 4 KB emails on two busy processors.
 */
export const unsampled = 'autovacuum_analyze_threshold = 2000000000';

export interface PartitionedTable {
  readonly name: string;
  /** PostgreSQL storage parameters of each partition, because partitions do not inherit them from their table. */
  readonly storage: string;
  /**
   * Tables with the same `history` belong together: a day of all of them is dropped as a whole, once no feature needs
   * it.
   */
  readonly history?: string;
}

/** One day of one table. An interrupted removal leaves it in the state `detaching` or `detached`. */
export interface Partition {
  readonly table: string;
  readonly name: string;
  /** Start of the day, UTC. */
  readonly day: Date;
  readonly state: 'attached' | 'detaching' | 'detached';
}

/**
 * Tables that are partitioned by day over a UUIDv7 key. The id contains the time, so the key determines the partition, and
 * retention drops a whole day in constant time.
 */
@Injectable()
export class DailyPartitions {
  constructor(private readonly database: Database) {}

  /** Creates missing partitions from two days ago (because clocks differ) to `daysAhead` days ahead. */
  async ensure(tables: readonly PartitionedTable[], now: Date, daysAhead: number): Promise<void> {
    const today = Math.floor(now.getTime() / day) * day;
    const existing = await this.existing();
    for (const table of tables) {
      for (let start = today - 2 * day; start <= today + daysAhead * day; start += day) {
        const name = partitionName(table.name, new Date(start));
        if (!existing.has(name)) await this.create(table, name, start);
      }
    }
  }

  /** All partitions of the tables, oldest day first, and within a day in the order of the tables. */
  async list(tables: readonly PartitionedTable[]): Promise<Partition[]> {
    const rows = await this.database.query<{ table: string; name: string; day: string; state: Partition['state'] }>({
      text: `SELECT t.name AS table, c.relname AS name, right(c.relname, 8) AS day,
                    CASE WHEN i.inhrelid IS NULL THEN 'detached'
                         WHEN i.inhdetachpending THEN 'detaching' ELSE 'attached' END AS state
             FROM unnest($1::text[]) WITH ORDINALITY AS t (name, position)
             JOIN pg_class c ON c.relname ~ ('^' || t.name || '_p[0-9]{8}$') AND c.relkind = 'r'
             JOIN pg_namespace n ON n.oid = c.relnamespace AND n.nspname = current_schema()
             LEFT JOIN pg_inherits i ON i.inhrelid = c.oid
             ORDER BY day, t.position`,
      values: [tables.map(({ name }) => name)],
    });
    return rows.map(({ day: text, ...row }) => ({ ...row, day: dayFrom(text) }));
  }

  private async existing(): Promise<Set<string>> {
    const rows = await this.database.query<{ name: string }>({
      text: `SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
             JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = current_schema()`,
    });
    return new Set(rows.map((row) => row.name));
  }

  private async create(table: PartitionedTable, name: string, start: number): Promise<void> {
    const from = firstIdAt(new Date(start));
    const to = firstIdAt(new Date(start + day));
    await this.database.execute({
      text: `CREATE TABLE IF NOT EXISTS "${name}" PARTITION OF "${table.name}" FOR VALUES FROM ('${from}') TO ('${to}')
             WITH (${sampledByHalves}, ${table.storage})`,
    });
  }
}

/** The partition of `emails` for 21 Nov 2026 is `emails_p20261121`. */
export function partitionName(table: string, start: Date): string {
  return `${table}_p${start.toISOString().slice(0, 10).replaceAll('-', '')}`;
}

function dayFrom(text: string): Date {
  return new Date(`${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6, 8)}`);
}
