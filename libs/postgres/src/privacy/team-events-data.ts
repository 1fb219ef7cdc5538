import { Global, Injectable, Module } from '@nestjs/common';
import { boundsOf, Database } from '#postgres/database';
import { AddressSpellings } from './address-spellings.js';
import { DataSubject, ErasedPortion, PersonalData, PersonalDataHolders } from './personal-data.js';
import { FoundRow, groupsOf } from './unindexed-rows.js';

const portionRows = 2_000;
const first = '00000000-0000-0000-0000-000000000000';

/** Whether an event is about the person, or about mail that names it. Others may name it in what they tell of somebody else. */
const isOfPerson = (mailbox: string, value: string): string =>
  `data ->> 'email' ~ ${mailbox} OR (type = 'email.received' OR type LIKE 'inbox.%') AND data::text ~ ${value}`;

interface Event extends Record<string, unknown> {
  readonly id: string;
  readonly type: string;
  readonly data: object;
  readonly createdAt: Date;
}

interface Portion {
  /** Where the next portion begins; undefined at the end. */
  readonly last: string | undefined;
  readonly found: readonly FoundRow[];
}

/**
 * The events of a team that name an address. They are not indexed by address, so all events are read, portion by
 * portion. A portion tells only which events name it, because the data of all of them may be too large to hold.
 */
@Injectable()
export class TeamEventsData extends PersonalData {
  readonly name = 'events';

  constructor(
    holders: PersonalDataHolders,
    private readonly database: Database,
  ) {
    super(holders);
  }

  async *records({ teamId, spellings }: DataSubject): AsyncGenerator<object> {
    for (let after: string | undefined = first; after !== undefined;) {
      const portion: Portion = await this.portion(teamId, spellings, after);
      for (const ids of groupsOf(portion.found)) {
        for (const { id, type, data, createdAt } of await this.events(ids)) {
          yield { id, type, created_at: createdAt, data };
        }
      }
      after = portion.last;
    }
  }

  async erase({ teamId, spellings }: DataSubject, after = first): Promise<ErasedPortion> {
    const { found, last } = await this.portion(teamId, spellings, after);
    if (found.length > 0) {
      await this.database.execute({
        text: `UPDATE team_events SET data = CASE WHEN ${isOfPerson('$2', '$3')}
                 THEN json_strip_nulls(json_build_object('id', data ->> 'id', 'email_id', data ->> 'email_id', 'erased', true))
                 ELSE regexp_replace(data::text, $4, '\\1erased', 'g')::json END
               WHERE id = ANY($1::uuid[])`,
        values: [found.map(({ id }) => id), spellings.mailbox, spellings.value, spellings.within],
      });
    }
    return { erased: found.length, next: last, isWaiting: false };
  }

  private events(ids: readonly string[]): Promise<Event[]> {
    return this.database.query<Event>({
      text: `SELECT id, type, data, created_at AS "createdAt" FROM team_events
             WHERE id = ANY($1::uuid[]) AND id BETWEEN $2 AND $3 ORDER BY id`,
      values: [ids, ...boundsOf(ids)],
    });
  }

  private async portion(teamId: string, { within }: AddressSpellings, after: string): Promise<Portion> {
    const [row] = await this.database.query<{ last: string | null; read: number; found: FoundRow[] | null }>({
      text: `WITH portion AS MATERIALIZED (
               SELECT id, team_id, type, data FROM team_events WHERE id > $1 ORDER BY id LIMIT ${portionRows}
             )
             SELECT (SELECT p.id FROM portion p ORDER BY p.id DESC LIMIT 1) AS last, (SELECT count(*)::int FROM portion) AS read,
                    (SELECT json_agg(json_build_object('id', id, 'bytes', octet_length(data::text)) ORDER BY id)
                     FROM portion
                     WHERE team_id = $2 AND data::text ~ $3) AS found`,
      values: [after, teamId, within],
    });
    if (row === undefined) return { last: undefined, found: [] };
    return { last: row.read < portionRows ? undefined : (row.last ?? undefined), found: row.found ?? [] };
  }
}

/** For every process: features register what they hold about people. */
@Global()
@Module({ providers: [PersonalDataHolders, TeamEventsData], exports: [PersonalDataHolders] })
export class PrivacyRegistryModule {}
