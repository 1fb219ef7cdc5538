import { Page, pageOf, PageRequest, Transaction } from '#kernel';
import { Database, keysetCondition, Row, statementsOf } from '#postgres/database';
import { Injectable } from '@nestjs/common';
import {
  ChangedChoice,
  ConsentOfAddress,
  SubscriptionChoice,
  SubscriptionRepository,
  TopicOfContact,
} from '../../application/ports/topic-repository.port.js';
import { Subscription, Topic } from '../../domain/topic.js';
import { topicColumns } from './postgres-topic-repository.js';

@Injectable()
export class PostgresSubscriptionRepository extends SubscriptionRepository {
  constructor(private readonly database: Database) {
    super();
  }

  /** The contacts are locked, so nobody changes a choice between the read of the old one and the write. */
  async set(
    choices: readonly SubscriptionChoice[],
    now: Date,
    transaction: Transaction,
  ): Promise<readonly ChangedChoice[]> {
    return statementsOf(transaction).query<Row<ChangedChoice>>({
      name: 'set-subscriptions',
      text: `WITH given AS MATERIALIZED (
               SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[])
                 AS given (contact_id, topic_id, team_id, subscription)
             ), earlier AS MATERIALIZED (
               SELECT contact_id, topic_id, t.subscription
               FROM given JOIN contact_topics t USING (contact_id, topic_id)
             )
             INSERT INTO contact_topics AS t (contact_id, topic_id, team_id, subscription, updated_at)
             SELECT contact_id, topic_id, team_id, subscription, $5 FROM given ORDER BY contact_id, topic_id
             ON CONFLICT (contact_id, topic_id) DO UPDATE
               SET subscription = EXCLUDED.subscription, updated_at = EXCLUDED.updated_at
               WHERE t.subscription <> EXCLUDED.subscription
             RETURNING t.contact_id AS "contactId", t.topic_id AS "topicId", t.team_id AS "teamId", t.subscription,
               (SELECT e.subscription FROM earlier e WHERE e.contact_id = t.contact_id AND e.topic_id = t.topic_id) AS "from",
               coalesce((SELECT e.subscription FROM earlier e WHERE e.contact_id = t.contact_id AND e.topic_id = t.topic_id),
                        (SELECT p.default_subscription FROM topics p WHERE p.id = t.topic_id), 'opt_out') AS before`,
      values: [
        choices.map(({ contactId }) => contactId),
        choices.map(({ topicId }) => topicId),
        choices.map(({ teamId }) => teamId),
        choices.map(({ subscription }) => subscription),
        now,
      ],
    });
  }

  async topicsOf(teamId: string, contactId: string, page: PageRequest): Promise<Page<TopicOfContact>> {
    const { condition, order, values } = keysetCondition(page, 3);
    const rows = await this.database.query<Row<Topic & { chosen: Subscription | null }>>({
      text: `SELECT ${topicColumns}, (SELECT t.subscription FROM contact_topics t
                                      WHERE t.contact_id = $2 AND t.topic_id = topics.id) AS chosen
             FROM topics WHERE team_id = $1 ${condition} ${order}`,
      values: [teamId, contactId, ...values],
    });
    const topics = rows.map(({ chosen, ...topic }) => ({ id: topic.id, topic, chosen }));
    return pageOf(page, topics);
  }

  consents(
    asked: readonly { readonly teamId: string; readonly email: string; readonly topicId: string | null }[],
    transaction?: Transaction,
  ): Promise<readonly ConsentOfAddress[]> {
    const statement = {
      name: 'consents-of-addresses',
      text: `SELECT q.team_id AS "teamId", q.email, q.topic_id AS "topicId", coalesce(c.unsubscribed, false) AS unsubscribed,
                    t.subscription AS chosen, p.default_subscription AS "defaultSubscription"
             FROM unnest($1::uuid[], $2::text[], $3::uuid[]) WITH ORDINALITY AS q (team_id, email, topic_id, no)
             LEFT JOIN contacts c ON c.team_id = q.team_id AND c.email = q.email
             LEFT JOIN topics p ON p.id = q.topic_id AND p.team_id = q.team_id
             LEFT JOIN contact_topics t ON t.contact_id = c.id AND t.topic_id = q.topic_id
             ORDER BY q.no`,
      values: [asked.map(({ teamId }) => teamId), asked.map(({ email }) => email), asked.map(({ topicId }) => topicId)],
    };
    return transaction === undefined
      ? this.database.query<Row<ConsentOfAddress>>(statement)
      : statementsOf(transaction).query<Row<ConsentOfAddress>>(statement);
  }
}
