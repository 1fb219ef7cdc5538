import { Clock, Transaction } from '#kernel';
import { DatabaseTransaction, Row, statementsOf } from '#platform/database';
import { Injectable } from '@nestjs/common';
import { maxMergeContacts } from '../../application/contact-values.query.js';
import {
  AskedContacts,
  AskedMembers,
  ConsentingContact,
  FixedAudience,
  MembersQuery,
} from '../../application/ports/fixed-audience.port.js';
import { PropertyValue } from '../../domain/contact.js';
import { referencesOf } from '../../domain/filters/filter.js';
import { parseFilter } from '../../domain/filters/parse-filter.js';
import { ContactProperty } from '../../domain/property.js';
import { Subscription } from '../../domain/topic.js';
import { compileFilter } from './filters/compile-filter.js';
import { knownIn } from './filters/known-references.js';

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

/** As for the count of a filter: it is planned for its values, and all contacts are read once instead of probed one by one. */
const settings = `SET LOCAL plan_cache_mode = force_custom_plan; SET LOCAL enable_nestloop = off; SET LOCAL work_mem = '64MB'`;

@Injectable()
export class PostgresFixedAudience extends FixedAudience {
  constructor(private readonly clock: Clock) {
    super();
  }

  async members(
    { teamId, segmentId, property }: AskedMembers,
    firstParameter: number,
    transaction: Transaction,
  ): Promise<MembersQuery | undefined> {
    const statements = statementsOf(transaction);
    const [segment] = await statements.query<{ filter: unknown }>({
      text: 'SELECT filter FROM segments WHERE id = $1 AND team_id = $2',
      values: [segmentId, teamId],
    });
    if (segment === undefined) return undefined;
    await statements.execute({ text: settings });
    const columns = `c.id AS contact_id, c.properties ->> $${firstParameter + 1}::text AS property`;
    if (segment.filter === null) {
      const text = `SELECT ${columns} FROM segment_contacts m JOIN contacts c ON c.id = m.contact_id
                    WHERE m.segment_id = $${firstParameter + 2}::uuid AND m.team_id = $${firstParameter}::uuid`;
      return { text, values: [teamId, property ?? '', segmentId] };
    }
    const { condition, values } = await this.compiled(teamId, segment.filter, firstParameter + 2, statements);
    return {
      text: `SELECT ${columns} FROM contacts c WHERE c.team_id = $${firstParameter}::uuid AND ${condition}`,
      values: [teamId, property ?? '', ...values],
    };
  }

  async contacts(
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

  private async compiled(
    teamId: string,
    filter: unknown,
    firstParameter: number,
    statements: DatabaseTransaction,
  ): Promise<{ readonly condition: string; readonly values: readonly unknown[] }> {
    const parsed = parseFilter(filter);
    const known = await knownIn(statements, teamId, { ...referencesOf(parsed), properties: [] });
    return compileFilter(parsed, firstParameter, known, this.clock.now());
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
