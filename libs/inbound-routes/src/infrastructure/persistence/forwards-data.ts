import { ReceivedEmails } from '#inbound';
import { Database, Row } from '#postgres/database';
import { DataSubject, ErasedPortion, PersonalData, PersonalDataHolders } from '#postgres/privacy';
import { Injectable } from '@nestjs/common';
import { erasedKey } from './postgres-routes.js';

const portionRows = 500;
const portionEmails = 100;
const portionOthers = 2_000;
const firstId = '00000000-0000-0000-0000-000000000000';
/** Position behind the emails of the author. */
const targets = 'targets';
/** Positions behind the targets: `others <received id> <key>`. */
const others = 'others';

interface Forward {
  readonly receivedId: string;
  readonly emailId: string | null;
  readonly outcome: string;
  readonly detail: string | null;
  readonly createdAt: Date;
}

/**
 * What routes did with mail of a person, and what they forwarded to the person. The routes themselves stay: they are
 * settings of the team. The name comes before that of the received emails, because it needs them to find their results.
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

  async *records({ teamId, spellings }: DataSubject): AsyncGenerator<object> {
    for (let after: string | undefined = firstId; after !== undefined;) {
      // A message has one forward to an address: the key is made of it.
      const portion: Row<Forward>[] = await this.database.query<Row<Forward>>({
        text: `SELECT received_id AS "receivedId", email_id AS "emailId", outcome, detail, created_at AS "createdAt"
               FROM inbound_route_results
               WHERE team_id = $1 AND lower(target) = ANY ($2) AND action = 'forward' AND received_id > $3
               ORDER BY received_id LIMIT ${portionRows}`,
        values: [teamId, spellings.stored, after],
      });
      for (const { receivedId, emailId, outcome, detail, createdAt } of portion) {
        yield { received_id: receivedId, email_id: emailId, outcome, detail, created_at: createdAt.toISOString() };
      }
      after = portion.length === portionRows ? portion.at(-1)?.receivedId : undefined;
    }
  }

  async erase(subject: DataSubject, after: string | undefined): Promise<ErasedPortion> {
    if (after === targets) return this.eraseTargets(subject);
    return after?.startsWith(others) === true ? this.eraseOthers(subject, after) : this.eraseDetails(subject, after);
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
  private async eraseTargets({ teamId, spellings }: DataSubject): Promise<ErasedPortion> {
    const rows = await this.database.query({
      text: `UPDATE inbound_route_results SET key = ${erasedKey('key')}, target = 'erased', detail = NULL
             WHERE (received_id, key) IN (
               SELECT received_id, key FROM inbound_route_results
               WHERE team_id = $1 AND lower(target) = ANY ($2) AND action = 'forward' ORDER BY received_id LIMIT ${portionRows})
             RETURNING 1`,
      values: [teamId, spellings.stored],
    });
    return { erased: rows.length, next: rows.length === portionRows ? targets : others, isWaiting: false };
  }

  /** Results of mail for the person, and replies that name the person. Names are not indexed: all results of the team are read. */
  private async eraseOthers({ teamId, spellings }: DataSubject, after: string): Promise<ErasedPortion> {
    const [, id = firstId, ...key] = after.split(' ');
    const [row] = await this.database.query<{ last: string | null; read: number; erased: number }>({
      text: `WITH portion AS MATERIALIZED (
               SELECT received_id, key, target, detail FROM inbound_route_results
               WHERE team_id = $3 AND (received_id, key) > ($1, $2) ORDER BY received_id, key LIMIT ${portionOthers}
             ), erased AS (
               UPDATE inbound_route_results r
               SET key = CASE WHEN p.key ~ $4 THEN ${erasedKey('p.key')} ELSE p.key END,
                   target = regexp_replace(p.target, $4, '\\1erased', 'g'), detail = regexp_replace(p.detail, $4, '\\1erased', 'g')
               FROM portion p
               WHERE r.received_id = p.received_id AND r.key = p.key
                 AND concat_ws(' ', p.key, p.target, p.detail) ~ $4
               RETURNING 1
             )
             SELECT (SELECT received_id || ' ' || key FROM portion ORDER BY received_id DESC, key DESC LIMIT 1) AS last,
                    (SELECT count(*)::int FROM portion) AS read, (SELECT count(*)::int FROM erased) AS erased`,
      values: [id, key.join(' '), teamId, spellings.within],
    });
    const { last = null, read = 0, erased = 0 } = row ?? {};
    return { erased, next: read === portionOthers ? `${others} ${last}` : undefined, isWaiting: false };
  }
}
