import { Injectable } from '@nestjs/common';
import { Database } from '#postgres/database';
import { DataSubject, ErasedPortion, PersonalData, PersonalDataHolders } from './personal-data.js';

/** A row that names an address, without what it holds. */
export interface FoundRow {
  readonly id: string;
  readonly bytes: number;
}

/** Bytes of rows that are read with one statement. A single larger row is read alone. */
const maxGroupBytes = 4 * 1024 * 1024;

/** The ids of the rows, in groups that may be in memory at once. */
export function groupsOf(rows: readonly FoundRow[]): string[][] {
  const groups: string[][] = [];
  let held = Infinity;
  for (const { id, bytes } of rows) {
    held += bytes;
    if (held <= maxGroupBytes) {
      groups.at(-1)?.push(id);
    } else {
      groups.push([id]);
      held = bytes;
    }
  }
  return groups;
}

const portionRows = 1_000;
const firstId = '00000000-0000-0000-0000-000000000000';

interface Portion {
  /** Where the next portion begins; undefined at the end. */
  readonly last: string | undefined;
  readonly found: readonly FoundRow[];
}

/**
 * Rows of one table that may name an address anywhere in their text, and are not indexed by it. All rows of the team
 * are read, portion by portion. A portion tells only which rows name it, because all of them may be too large to hold.
 * A lib gives the parts of the statements.
 */
@Injectable()
export abstract class UnindexedRows extends PersonalData {
  constructor(
    holders: PersonalDataHolders,
    private readonly database: Database,
  ) {
    super(holders);
  }

  /** Reads a portion: the rows of team $1 behind the id $2, in order of the ids, as many as $3. */
  protected abstract readonly portion: string;
  /** Whether a row of the portion names the address. $4: the pattern, `AddressSpellings.within`. */
  protected abstract readonly names: string;
  /** The row in the names of the API, as JSON. */
  protected abstract readonly record: string;
  /** Removes what is personal from the rows $2 of team $1. $3: the pattern. The rows stay. */
  protected abstract readonly clear: string;

  async *records({ teamId, spellings }: DataSubject): AsyncGenerator<object> {
    for (let after: string | undefined = firstId; after !== undefined;) {
      const portion: Portion = await this.read(teamId, after, spellings.within);
      for (const ids of groupsOf(portion.found)) yield* await this.recordsOf(teamId, after, ids);
      after = portion.last;
    }
  }

  async erase({ teamId, spellings }: DataSubject, after = firstId): Promise<ErasedPortion> {
    const { found, last } = await this.read(teamId, after, spellings.within);
    if (found.length > 0) {
      const values = [teamId, found.map(({ id }) => id), spellings.within];
      await this.database.execute({ text: this.clear, values });
    }
    return { erased: found.length, next: last, isWaiting: false };
  }

  private async recordsOf(teamId: string, after: string, ids: readonly string[]): Promise<object[]> {
    const rows = await this.database.query<{ record: object }>({
      text: `SELECT ${this.record} AS record FROM (${this.portion}) AS portion WHERE id = ANY ($4::uuid[]) ORDER BY id`,
      // Rows that were added to the portion since push the last ones back.
      values: [teamId, after, 2 * portionRows, ids],
    });
    return rows.map(({ record }) => record);
  }

  private async read(teamId: string, after: string, pattern: string): Promise<Portion> {
    const [row] = await this.database.query<{ last: string | null; read: number; found: FoundRow[] | null }>({
      text: `WITH portion AS MATERIALIZED (${this.portion})
             SELECT (SELECT id FROM portion ORDER BY id DESC LIMIT 1) AS last, (SELECT count(*)::int FROM portion) AS read,
                    (SELECT json_agg(json_build_object('id', id, 'bytes', octet_length((${this.record})::text)) ORDER BY id)
                     FROM portion WHERE ${this.names}) AS found`,
      values: [teamId, after, portionRows, pattern],
    });
    if (row === undefined) return { last: undefined, found: [] };
    return { last: row.read < portionRows ? undefined : (row.last ?? undefined), found: row.found ?? [] };
  }
}
