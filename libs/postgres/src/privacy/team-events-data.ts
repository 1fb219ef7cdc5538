import { Database } from '#postgres/database';
import { Injectable } from '@nestjs/common';
import { AddressSpellings } from './address-spellings.js';
import { DataSubject, ErasedPortion, PersonalData, PersonalDataHolders } from './personal-data.js';

const portionRows = 2_000;
const first = '00000000-0000-0000-0000-000000000000';

interface Event extends Record<string, unknown> {
  readonly id: string;
  readonly type: string;
  readonly data: object;
  readonly createdAt: Date;
}

/**
 * The events of a team that name an address. They are not indexed by address, so all events are read, portion by
 * portion.
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
      const portion: { last: string | undefined; events: Event[] } = await this.portion(teamId, spellings, after);
      for (const { id, type, data, createdAt } of portion.events) yield { id, type, created_at: createdAt, data };
      after = portion.last;
    }
  }

  async erase({ teamId, spellings }: DataSubject, after = first): Promise<ErasedPortion> {
    const { events, last } = await this.portion(teamId, spellings, after);
    if (events.length > 0) {
      await this.database.execute({
        text: `UPDATE team_events SET data = json_strip_nulls(json_build_object('id', data ->> 'id', 'email_id', data ->> 'email_id', 'erased', true)) WHERE id = ANY($1::uuid[])`,
        values: [events.map(({ id }) => id)],
      });
    }
    return { erased: events.length, next: last, isWaiting: false };
  }

  /** Undefined as `last` at the end. */
  private async portion(
    teamId: string,
    { mailbox, value }: AddressSpellings,
    after: string,
  ): Promise<{ last: string | undefined; events: Event[] }> {
    const [row] = await this.database.query<{ last: string | null; read: number; events: Event[] | null }>({
      text: `WITH portion AS MATERIALIZED (
               SELECT id, team_id, type, data, created_at FROM team_events WHERE id > $1 ORDER BY id LIMIT ${portionRows}
             )
             SELECT (SELECT p.id FROM portion p ORDER BY p.id DESC LIMIT 1) AS last, (SELECT count(*)::int FROM portion) AS read,
                    (SELECT json_agg(json_build_object('id', id, 'type', type, 'data', data, 'createdAt', created_at))
                     FROM portion
                     WHERE team_id = $2 AND (data ->> 'email' ~ $3 OR type = 'email.received' AND data::text ~ $4)) AS events`,
      values: [after, teamId, mailbox, value],
    });
    if (row === undefined) return { last: undefined, events: [] };
    return { last: row.read < portionRows ? undefined : (row.last ?? undefined), events: row.events ?? [] };
  }
}
