import { foldedCase, searchedAddress } from '#kernel';
import { DatabaseTransaction } from '#postgres/database';
import { contactKey } from '../../../domain/contact.js';
import { KnownReferences } from '../../../domain/filters/check-references.js';
import {
  Activity,
  ActivityCondition,
  BroadcastCondition,
  Condition,
  daysBefore,
  Filter,
  FilterReferences,
  OrderOperator,
  TextCondition,
  TextSubject,
} from '../../../domain/filters/filter.js';

export interface CompiledFilter {
  /** A condition on the table `contacts`, under the alias `c`. */
  readonly condition: string;
  /** The values of its parameters. */
  readonly values: readonly unknown[];
}

const order: Readonly<Record<OrderOperator, string>> = { gt: '>', gte: '>=', lt: '<', lte: '<=' };

/**
 * Compiles a filter to a condition of SQL with parameters from `firstParameter` on. No text of the filter becomes SQL.
 *
 * Negations are moved down to the conditions, where they are `NOT EXISTS` or `IS NOT TRUE`: PostgreSQL plans `NOT
 * EXISTS` as one hash join over all contacts, and `(EXISTS …) IS NOT TRUE` as a probe for each contact, which takes
 * three times as long. Conditions on other tables are never joins, because a join would multiply contacts and could not
 * stand under `OR`.
 */
export function compileFilter(
  filter: Filter,
  firstParameter: number,
  known: Pick<KnownReferences, 'topics' | 'segments' | 'broadcasts'>,
  now: Date,
): CompiledFilter {
  const compiler = new FilterCompiler(firstParameter, known, now);
  const condition = compiler.filter(filter, false);
  return { condition, values: compiler.values };
}

class FilterCompiler {
  readonly values: unknown[] = [];

  constructor(
    private readonly firstParameter: number,
    private readonly known: Pick<KnownReferences, 'topics' | 'segments' | 'broadcasts'>,
    private readonly now: Date,
  ) {}

  filter(filter: Filter, negated: boolean): string {
    switch (filter.kind) {
      case 'and':
      case 'or': {
        const parts = filter.filters.map((part) => this.filter(part, negated));
        return `(${parts.join((filter.kind === 'and') === negated ? ' OR ' : ' AND ')})`;
      }
      case 'not':
        return this.filter(filter.filter, !negated);
      case 'topic':
        return this.topic(filter.topicId, negated);
      case 'segment':
        return this.segment(filter.segmentId, negated);
      case 'broadcast':
        return this.broadcast(filter, negated);
      case 'activity':
        return `${negated ? 'NOT ' : ''}${this.activity(filter)}`;
      default: {
        const condition = this.onContact(filter);
        return negated ? `(${condition}) IS NOT TRUE` : condition;
      }
    }
  }

  private onContact(condition: Exclude<Condition, { kind: 'topic' | 'segment' | 'broadcast' | 'activity' }>): string {
    switch (condition.kind) {
      case 'text':
        return this.text(condition);
      case 'present':
        return `coalesce(${this.valueOf(condition.subject)}, '') <> ''`;
      case 'number': {
        const value = `c.properties -> ${this.add(condition.property)}::text`;
        const operator = condition.operator === 'eq' ? '=' : order[condition.operator];
        // Values of other types have an order too: a text is above every number.
        return `(jsonb_typeof(${value}) = 'number' AND ${value} ${operator} to_jsonb(${this.add(String(condition.value))}::numeric))`;
      }
      case 'unsubscribed':
        return 'c.unsubscribed';
      case 'time':
        return `c.${condition.field} ${order[condition.operator]} ${this.add(condition.value)}::timestamptz`;
      case 'recent':
        return `c.${condition.field} >= ${this.add(daysBefore(this.now, condition.days))}::timestamptz`;
    }
  }

  /**
   * The forms of the columns are those of the indexes for prefix searches. Addresses are stored in the form of
   * `contactKey`; everything else is compared without differences of case.
   */
  private text({ subject, operator, value }: TextCondition): string {
    const isAddress = subject === 'email';
    const wanted = isAddress ? contactKey(searchedAddress(value)) : value;
    const column = isAddress ? 'c.email' : `folded_case(${this.valueOf(subject)})`;
    const compared = (text: string): string => `${this.add(isAddress ? text : foldedCase(text))}::text`;
    if (operator === 'eq') return `${column} = ${compared(wanted)}`;
    const pattern = wanted.replace(/[\\%_]/g, String.raw`\$&`);
    const before = operator === 'starts_with' ? '' : '%';
    const after = operator === 'ends_with' ? '' : '%';
    return `${column} LIKE ${compared(`${before}${pattern}${after}`)}`;
  }

  private valueOf(subject: TextSubject): string {
    return typeof subject === 'string' ? `c.${subject}` : `c.properties ->> ${this.add(subject.property)}::text`;
  }

  /** A topic that was deleted has no subscribers. Choices that differ from the default are fewer than contacts. */
  private topic(topicId: string, negated: boolean): string {
    const byDefault = this.known.topics.get(topicId);
    if (byDefault === undefined) return constant(negated);
    const choice = byDefault === 'opt_in' ? 'opt_out' : 'opt_in';
    const hasChosen = `EXISTS (SELECT FROM contact_topics t WHERE t.contact_id = c.id
      AND t.topic_id = ${this.add(topicId)}::uuid AND t.subscription = '${choice}')`;
    return (byDefault === 'opt_in') === negated ? hasChosen : `NOT ${hasChosen}`;
  }

  /** A segment that was deleted has no members, even if its rows are still to be removed. */
  private segment(segmentId: string, negated: boolean): string {
    if (!this.known.segments.has(segmentId)) return constant(negated);
    return `${negated ? 'NOT ' : ''}EXISTS (SELECT FROM segment_contacts s WHERE s.contact_id = c.id
      AND s.segment_id = ${this.add(segmentId)}::uuid)`;
  }

  /** The results are rows of the recipients, by broadcast and kind. Events are not read. */
  private broadcast({ broadcastId, result }: BroadcastCondition, negated: boolean): string {
    if (!this.known.broadcasts.has(broadcastId)) return constant(negated);
    return `${negated ? 'NOT ' : ''}EXISTS (SELECT FROM published_broadcast_results b WHERE b.contact_id = c.id
      AND b.broadcast_id = ${this.add(broadcastId)}::uuid AND b.kind = ${this.add(result)}::text)`;
  }

  private activity({ activity, days }: ActivityCondition): string {
    const column = `a.${activityColumns[activity]}`;
    const happened =
      days === null ? `${column} IS NOT NULL` : `${column} >= ${this.add(daysBefore(this.now, days))}::timestamptz`;
    return `EXISTS (SELECT FROM contact_activity a WHERE a.contact_id = c.id AND ${happened})`;
  }

  private add(value: unknown): string {
    this.values.push(value);
    return `$${this.firstParameter + this.values.length - 1}`;
  }
}

/** The columns of `contact_activity`. */
export const activityColumns: Readonly<Record<Activity, string>> = {
  sent: 'last_sent_at',
  opened: 'last_opened_at',
  clicked: 'last_clicked_at',
  machine_opened: 'last_machine_opened_at',
  machine_clicked: 'last_machine_clicked_at',
};

function constant(value: boolean): string {
  return value ? 'TRUE' : 'FALSE';
}

/** The things that a filter names and that the team has. */
export async function knownIn(
  transaction: DatabaseTransaction,
  teamId: string,
  { properties, topicIds, segmentIds, broadcastIds }: FilterReferences,
): Promise<KnownReferences> {
  if (properties.length + topicIds.length + segmentIds.length + broadcastIds.length === 0) {
    return { properties: new Map(), topics: new Map(), segments: new Map(), broadcasts: new Set() };
  }
  const rows = await transaction.query<{ kind: string; name: string; value: string }>({
    text: `SELECT 'property' AS kind, key AS name, type AS value FROM contact_properties WHERE team_id = $1 AND key = ANY ($2::text[])
           UNION ALL
           SELECT 'topic', id::text, default_subscription FROM topics WHERE team_id = $1 AND id = ANY ($3::uuid[])
           UNION ALL
           SELECT 'segment', id::text, (filter IS NOT NULL)::text FROM segments WHERE team_id = $1 AND id = ANY ($4::uuid[])
           UNION ALL
           SELECT 'broadcast', id::text, '' FROM published_broadcasts WHERE team_id = $1 AND id = ANY ($5::uuid[])`,
    values: [teamId, properties, topicIds, segmentIds, broadcastIds],
  });
  const of = (kind: string): [string, string][] =>
    rows.filter((row) => row.kind === kind).map(({ name, value }) => [name, value]);
  return {
    properties: new Map(of('property')) as KnownReferences['properties'],
    topics: new Map(of('topic')) as KnownReferences['topics'],
    segments: new Map(of('segment').map(([id, isFiltered]) => [id, { isFiltered: isFiltered === 'true' }])),
    broadcasts: new Set(of('broadcast').map(([id]) => id)),
  };
}
