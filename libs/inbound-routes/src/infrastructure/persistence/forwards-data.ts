import { ReceivedEmails } from '#inbound';
import { Database, Row } from '#platform/database';
import { DataSubject, ErasedPortion, PersonalData, PersonalDataHolders } from '#platform/privacy';
import { Injectable } from '@nestjs/common';
import { erasedKey } from './erased-key.js';

const portionRows = 500;
const portionEmails = 100;
/** Position behind the emails of the author. */
const targets = 'targets';

interface Forward {
  readonly receivedId: string;
  readonly emailId: string | null;
  readonly outcome: string;
  readonly detail: string | null;
  readonly createdAt: Date;
}

/**
 * What routes did with mail of a person, and what they forwarded to the person. The routes themselves stay: they are settings of the
 * team. The name comes before that of the received emails, because it needs them to find their results.
 */
@Injectable()
export class ForwardsData extends PersonalData {
  readonly name = 'forwards';

  constructor(
    holders: PersonalDataHolders,
    private readonly database: Database,
    private readonly received: ReceivedEmails,
  ) {
    super(holders);
  }

  async *records({ teamId, address }: DataSubject): AsyncGenerator<object> {
    const first = '00000000-0000-0000-0000-000000000000';
    for (let after: string | undefined = first; after !== undefined;) {
      // A message has one forward to an address: the key is made of it.
      const portion: Row<Forward>[] = await this.database.query<Row<Forward>>({
        text: `SELECT received_id AS "receivedId", email_id AS "emailId", outcome, detail, created_at AS "createdAt"
               FROM inbound_route_results
               WHERE team_id = $1 AND lower(target) = $2 AND action = 'forward' AND received_id > $3
               ORDER BY received_id LIMIT ${portionRows}`,
        values: [teamId, address, after],
      });
      for (const { receivedId, emailId, outcome, detail, createdAt } of portion) {
        yield { received_id: receivedId, email_id: emailId, outcome, detail, created_at: createdAt.toISOString() };
      }
      after = portion.length === portionRows ? portion.at(-1)?.receivedId : undefined;
    }
  }

  async erase(subject: DataSubject, after: string | undefined): Promise<ErasedPortion> {
    return after === targets ? this.eraseTargets(subject) : this.eraseDetails(subject, after);
  }

  /** Replies of other servers about mail of the person may name the person. */
  private async eraseDetails({ teamId, address }: DataSubject, after: string | undefined): Promise<ErasedPortion> {
    const page = { limit: portionEmails, ...(after === undefined ? {} : { after }) };
    const { items, hasMore } = await this.received.list(teamId, page, { from: address });
    const rows = await this.database.query({
      text: `UPDATE inbound_route_results SET detail = NULL
             WHERE received_id = ANY ($1::uuid[]) AND detail IS NOT NULL RETURNING 1`,
      values: [items.map(({ id }) => id)],
    });
    return { erased: rows.length, next: hasMore ? items.at(-1)?.id : targets, isWaiting: false };
  }

  /** The row stays, without the address: it keeps the message from being forwarded again. */
  private async eraseTargets({ teamId, address }: DataSubject): Promise<ErasedPortion> {
    const rows = await this.database.query({
      text: `UPDATE inbound_route_results SET key = ${erasedKey('key')}, target = 'erased', detail = NULL
             WHERE (received_id, key) IN (
               SELECT received_id, key FROM inbound_route_results
               WHERE team_id = $1 AND lower(target) = $2 AND action = 'forward' ORDER BY received_id LIMIT ${portionRows})
             RETURNING 1`,
      values: [teamId, address],
    });
    return { erased: rows.length, next: rows.length === portionRows ? targets : undefined, isWaiting: false };
  }
}
