import { Database } from '#postgres/database';
import { DataSubject, ErasedPortion, PersonalData, PersonalDataHolders } from '#postgres/privacy';
import { Injectable } from '@nestjs/common';
import { activities } from '../../domain/filters/filter.js';
import { activityColumns } from './filters/compile-filter.js';

/** When the contact of an address was last sent something, opened it and clicked. It goes with the contact. */
@Injectable()
export class ContactActivityData extends PersonalData {
  readonly name = 'contact_activity';

  constructor(
    holders: PersonalDataHolders,
    private readonly database: Database,
  ) {
    super(holders);
  }

  async *records({ teamId, spellings }: DataSubject): AsyncGenerator<object> {
    yield* await this.database.query({
      text: `SELECT ${activities.map((activity) => `a.${activityColumns[activity]}`).join(', ')}
             FROM contacts c JOIN contact_activity a ON a.contact_id = c.id WHERE c.team_id = $1 AND c.email = ANY ($2)`,
      values: [teamId, spellings.stored],
    });
  }

  async erase(): Promise<ErasedPortion> {
    return { erased: 0, next: undefined, isWaiting: false };
  }
}
