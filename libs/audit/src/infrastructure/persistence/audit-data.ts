import { Database } from '#platform/database';
import { DataSubject, ErasedPortion, PersonalData, PersonalDataHolders } from '#platform/privacy';
import { Injectable } from '@nestjs/common';

const portionRows = 1_000;
const first = '00000000-0000-0000-0000-000000000000';

interface Entry extends Record<string, unknown> {
  readonly id: string;
  readonly action: string;
  readonly targetId: string | null;
  readonly before: unknown;
  readonly after: unknown;
}

/** The changes that name an address. They are not indexed by address, so all changes of the team are read, portion by portion. */
@Injectable()
export class AuditData extends PersonalData {
  readonly name = 'audit';

  constructor(
    holders: PersonalDataHolders,
    private readonly database: Database,
  ) {
    super(holders);
  }

  async *records({ teamId, address }: DataSubject): AsyncGenerator<object> {
    for (let after: string | undefined = first; after !== undefined;) {
      const portion: { last: string | undefined; entries: Entry[] } = await this.portion(teamId, address, after);
      for (const { id, action, targetId, before, after: changed } of portion.entries) {
        yield { id, action, target_id: targetId, before, after: changed };
      }
      after = portion.last;
    }
  }

  /** Who changed something and when stays, without what was changed. */
  async erase({ teamId, address }: DataSubject, after = first): Promise<ErasedPortion> {
    const { entries, last } = await this.portion(teamId, address, after);
    if (entries.length > 0) {
      await this.database.execute({
        text: `UPDATE audit_entries SET before = NULL, after = NULL,
                 target_id = CASE WHEN strpos(lower(target_id), $3) > 0 THEN 'erased' ELSE target_id END
               WHERE team_id = $1 AND id = ANY($2::uuid[])`,
        values: [teamId, entries.map(({ id }) => id), address],
      });
    }
    return { erased: entries.length, next: last, isWaiting: false };
  }

  private async portion(
    teamId: string,
    address: string,
    after: string,
  ): Promise<{ last: string | undefined; entries: Entry[] }> {
    const [row] = await this.database.query<{ last: string | null; read: number; entries: Entry[] | null }>({
      text: `WITH portion AS MATERIALIZED (
               SELECT id, action, target_id, before, after FROM audit_entries
               WHERE team_id = $1 AND id > $2 ORDER BY id LIMIT ${portionRows}
             )
             SELECT (SELECT p.id FROM portion p ORDER BY p.id DESC LIMIT 1) AS last, (SELECT count(*)::int FROM portion) AS read,
                    (SELECT json_agg(json_build_object('id', id, 'action', action, 'targetId', target_id,
                                                       'before', before, 'after', after))
                     FROM portion
                     WHERE strpos(lower(concat(target_id, ' ', before::text, ' ', after::text)), $3) > 0) AS entries`,
      values: [teamId, after, address],
    });
    return {
      last: row !== undefined && row.read === portionRows ? (row.last ?? undefined) : undefined,
      entries: row?.entries ?? [],
    };
  }
}
