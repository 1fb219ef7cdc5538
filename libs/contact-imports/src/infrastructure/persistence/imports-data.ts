import { Database } from '#postgres/database';
import { DataSubject, ErasedPortion, PersonalData, PersonalDataHolders } from '#postgres/privacy';
import { Injectable } from '@nestjs/common';

const firstId = '00000000-0000-0000-0000-000000000000';
/** Imports of one portion. Each has at most 100,000 refused rows. */
const importsAtOnce = 5;

/**
 * Refused rows of imports that name an address. They are not indexed by address, so the reports of a team are read,
 * some imports at a time. A file that is not imported yet may name anybody: the erasure waits for it.
 */
@Injectable()
export class ImportsData extends PersonalData {
  readonly name = 'contact_imports';

  constructor(
    holders: PersonalDataHolders,
    private readonly database: Database,
  ) {
    super(holders);
  }

  async *records({ teamId, spellings }: DataSubject): AsyncGenerator<object> {
    for (let after: string | undefined = firstId; after !== undefined;) {
      const ids: readonly string[] = await this.importsAfter(teamId, after);
      yield* await this.database.query({
        text: `SELECT import_id, line, column_name AS "column", value, reason FROM contact_import_refusals
               WHERE import_id = ANY ($1::uuid[]) AND value ~ $2 ORDER BY import_id, line`,
        values: [ids, spellings.within],
      });
      after = ids.length < importsAtOnce ? undefined : ids.at(-1);
    }
  }

  /** The row stays in the report, without what stood in it. */
  async erase({ teamId, spellings }: DataSubject, after = firstId): Promise<ErasedPortion> {
    const ids = await this.importsAfter(teamId, after);
    const erased = await this.database.execute({
      text: `UPDATE contact_import_refusals SET value = '' WHERE import_id = ANY ($1::uuid[]) AND value ~ $2`,
      values: [ids, spellings.within],
    });
    const unfinished = await this.database.query({
      text: 'SELECT FROM contact_imports WHERE team_id = $1 AND completed_at IS NULL LIMIT 1',
      values: [teamId],
    });
    const next = ids.length < importsAtOnce ? undefined : ids.at(-1);
    return { erased, next, isWaiting: unfinished.length > 0 };
  }

  private async importsAfter(teamId: string, after: string): Promise<readonly string[]> {
    const rows = await this.database.query<{ id: string }>({
      text: `SELECT id FROM contact_imports WHERE team_id = $1 AND id > $2 ORDER BY id LIMIT ${importsAtOnce}`,
      values: [teamId, after],
    });
    return rows.map(({ id }) => id);
  }
}
