import { Database, Row } from '#platform/database';
import { DataSubject, ErasedPortion, PersonalData, PersonalDataHolders } from '#platform/privacy';
import { Injectable } from '@nestjs/common';
import { EraseReceived } from '../../application/erase-received.use-case.js';

const portionRows = 500;
const first = '00000000-0000-0000-0000-000000000000';

interface Received {
  readonly id: string;
  readonly createdAt: Date;
  readonly from: string;
  readonly to: readonly string[];
  readonly subject: string;
}

/** The mail that a person has sent to a team. */
@Injectable()
export class ReceivedData extends PersonalData {
  readonly name = 'received';

  constructor(
    holders: PersonalDataHolders,
    private readonly database: Database,
    private readonly eraseReceived: EraseReceived,
  ) {
    super(holders);
  }

  async *records({ teamId, address }: DataSubject): AsyncGenerator<object> {
    for (let after: string | undefined = first; after !== undefined;) {
      const portion: Row<Received>[] = await this.database.query<Row<Received>>({
        text: `SELECT id, created_at AS "createdAt", "from", "to", subject FROM received_emails
               WHERE team_id = $1 AND lower("from") = $2 AND id > $3 ORDER BY id LIMIT ${portionRows}`,
        values: [teamId, address, after],
      });
      for (const { id, createdAt, from, to, subject } of portion) {
        yield { id, created_at: createdAt.toISOString(), from, to, subject };
      }
      after = portion.length === portionRows ? portion[portion.length - 1]?.id : undefined;
    }
  }

  /** Emails are deleted, so each portion is the first one. */
  async erase({ teamId, address }: DataSubject): Promise<ErasedPortion> {
    const { erased, hasMore } = await this.eraseReceived.execute(teamId, address);
    return { erased, next: hasMore ? first : undefined, isWaiting: false };
  }
}
