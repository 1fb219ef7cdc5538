import { Transaction } from '#kernel';
import { Row, statementsOf } from '#postgres/database';
import { Injectable } from '@nestjs/common';
import { maxMergeContacts } from '../../application/contact-values.query.js';
import {
  AskedContacts,
  ConsentingContact,
  ConsentingContacts,
} from '../../application/ports/consenting-contacts.port.js';
import { PropertyValue } from '../../domain/contact.js';
import { ContactProperty } from '../../domain/property.js';
import { Subscription } from '../../domain/topic.js';

type ContactWithChoice = Row<{
  readonly id: string;
  readonly email: string;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly unsubscribed: boolean;
  /** Of the asked properties, in their order. */
  readonly values: readonly (PropertyValue | null)[] | null;
  readonly chosen: Subscription | null;
  readonly byDefault: Subscription | null;
}>;

const beforeAll = '00000000-0000-0000-0000-000000000000';

@Injectable()
export class PostgresConsentingContacts extends ConsentingContacts {
  async read(
    { teamId, ids, topicId, properties }: AskedContacts,
    transaction: Transaction,
  ): Promise<ReadonlyMap<string, ConsentingContact>> {
    if (ids.length > maxMergeContacts) throw new RangeError('Too many contacts for one read');
    const rows = await statementsOf(transaction).query<ContactWithChoice>({
      name: 'contacts-with-choice',
      text: `SELECT c.id, c.email, c.first_name AS "firstName", c.last_name AS "lastName", c.unsubscribed,
                    CASE WHEN cardinality($4::text[]) > 0
                    THEN ARRAY(SELECT c.properties -> k.key FROM unnest($4::text[]) WITH ORDINALITY AS k (key, no) ORDER BY k.no)
                    END AS values,
                    t.subscription AS chosen, (SELECT default_subscription FROM topics WHERE id = $3 AND team_id = $1) AS "byDefault"
             FROM contacts c LEFT JOIN contact_topics t ON t.contact_id = c.id AND t.topic_id = $3
             WHERE c.id = ANY ($2::uuid[]) AND c.team_id = $1`,
      values: [teamId, ids, topicId, properties.map(({ key }) => key)],
    });
    return new Map(rows.map((row) => [row.id, consenting(row, properties)]));
  }

  async idsBehind(
    teamId: string,
    after: string | undefined,
    limit: number,
    transaction: Transaction,
  ): Promise<readonly string[]> {
    const rows = await statementsOf(transaction).query<{ id: string }>({
      name: 'ids-of-contacts-behind',
      text: 'SELECT id FROM contacts WHERE team_id = $1 AND id > $2 ORDER BY id LIMIT $3',
      values: [teamId, after ?? beforeAll, limit],
    });
    return rows.map(({ id }) => id);
  }
}

function consenting(
  { id, email, firstName, lastName, unsubscribed, values, chosen, byDefault }: ContactWithChoice,
  asked: readonly ContactProperty[],
): ConsentingContact {
  const properties: Record<string, PropertyValue | null> = {};
  const lacking = new Set<string>();
  asked.forEach(({ key, fallbackValue }, no) => {
    const value = values?.[no] ?? null;
    if (value === null) lacking.add(key);
    properties[key] = value ?? fallbackValue;
  });
  // The choice of a topic that was deleted does not count.
  const subscription = byDefault === null ? null : (chosen ?? byDefault);
  return { id, email, firstName, lastName, unsubscribed, properties, lacking, subscription };
}
