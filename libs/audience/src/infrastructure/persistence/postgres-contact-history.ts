import { actorColumns, actorOf } from '#identity';
import { Page, pageOf, PageRequest, Transaction } from '#kernel';
import { Database, keysetCondition, Row, statementsOf } from '#postgres/database';
import { Injectable } from '@nestjs/common';
import { ContactHistory } from '../../application/ports/contact-repository.port.js';
import { ContactChange, Unsubscribe } from '../../domain/contact-change.js';

type ChangeRow = Row<
  Omit<ContactChange, 'actor'> & { api_key_id: string | null; actor_kind: string | null; actor_id: string | null }
>;

@Injectable()
export class PostgresContactHistory extends ContactHistory {
  constructor(private readonly database: Database) {
    super();
  }

  async append(changes: readonly ContactChange[], transaction: Transaction): Promise<void> {
    if (changes.length === 0) return;
    const actors = changes.map(({ actor }) => actorColumns(actor));
    await statementsOf(transaction).execute({
      name: 'append-contact-changes',
      text: `INSERT INTO contact_changes (id, contact_id, team_id, type, source, api_key_id, actor_kind, actor_id, changes, created_at)
             SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::uuid[], $7::text[], $8::uuid[],
                                  $9::jsonb[], $10::timestamptz[])`,
      values: [
        changes.map(({ id }) => id),
        changes.map(({ contactId }) => contactId),
        changes.map(({ teamId }) => teamId),
        changes.map(({ type }) => type),
        changes.map(({ source }) => source),
        actors.map((actor) => actor.api_key_id ?? null),
        actors.map((actor) => actor.actor_kind ?? null),
        actors.map((actor) => actor.actor_id ?? null),
        changes.map((change) => JSON.stringify(change.changes)),
        changes.map(({ createdAt }) => createdAt),
      ],
    });
  }

  /** A trigger of the metrics counts them. */
  async appendUnsubscribes(unsubscribes: readonly Unsubscribe[], transaction: Transaction): Promise<void> {
    if (unsubscribes.length === 0) return;
    await statementsOf(transaction).execute({
      name: 'append-unsubscribes',
      text: `INSERT INTO contact_unsubscribes (id, team_id, contact_id, email_id, source, topic_ids, created_at)
             SELECT * FROM jsonb_to_recordset($1::jsonb)
               AS g (id uuid, team_id uuid, contact_id uuid, email_id uuid, source text, topic_ids uuid[], created_at timestamptz)`,
      values: [
        JSON.stringify(
          unsubscribes.map(({ id, teamId, contactId, emailId, source, topicIds, createdAt }) => ({
            id,
            team_id: teamId,
            contact_id: contactId,
            email_id: emailId,
            source,
            topic_ids: topicIds,
            created_at: createdAt,
          })),
        ),
      ],
    });
  }

  async list(teamId: string, contactId: string, page: PageRequest): Promise<Page<ContactChange>> {
    const { condition, order, values } = keysetCondition(page, 3);
    const rows = await this.database.query<ChangeRow>({
      text: `SELECT id, contact_id AS "contactId", team_id AS "teamId", type, source, api_key_id, actor_kind, actor_id, changes,
                    created_at AS "createdAt"
             FROM contact_changes WHERE contact_id = $2 AND team_id = $1 ${condition} ${order}`,
      values: [teamId, contactId, ...values],
    });
    return pageOf(
      page,
      rows.map(({ api_key_id, actor_kind, actor_id, ...change }) => ({
        ...change,
        actor: actorOf({ api_key_id, actor_kind, actor_id }),
      })),
    );
  }
}
