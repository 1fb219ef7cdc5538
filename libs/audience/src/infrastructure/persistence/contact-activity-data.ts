import { Database } from '#platform/database';
import { DataSubject, ErasedPortion, PersonalData, PersonalDataHolders } from '#platform/privacy';
import { Injectable } from '@nestjs/common';

/** When a contact was last sent something, opened it and clicked. */
@Injectable()
export class ContactActivityData extends PersonalData {
  readonly name = 'contact_activity';

  constructor(
    holders: PersonalDataHolders,
    private readonly database: Database,
  ) {
    super(holders);
  }

  async *records({ teamId, address }: DataSubject): AsyncGenerator<object> {
    yield* await this.database.query<Record<string, unknown>>({
      text: `SELECT a.* FROM contacts c JOIN contact_activity a ON a.contact_id = c.id WHERE c.team_id = $1 AND c.email = $2`,
      values: [teamId, address],
    });
  }

  /** The row is deleted with its contact. */
  async erase(): Promise<ErasedPortion> {
    return { erased: 0, next: undefined, isWaiting: false };
  }
}
