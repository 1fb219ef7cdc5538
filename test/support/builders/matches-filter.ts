import { foldedCase } from '#kernel';
import { KnownReferences } from '../../../libs/audience/src/domain/filters/check-references.js';
import {
  Activity,
  BroadcastResult,
  Condition,
  daysBefore,
  Filter,
  OrderOperator,
  TextOperator,
  TextSubject,
} from '../../../libs/audience/src/domain/filters/filter.js';

/** A contact with everything that conditions ask for. */
export interface FilteredContact {
  readonly email: string;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly unsubscribed: boolean;
  readonly properties: Readonly<Record<string, string | number>>;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** Its choices by topic. */
  readonly topics: ReadonlyMap<string, 'opt_in' | 'opt_out'>;
  readonly segmentIds: ReadonlySet<string>;
  /** What happened with its emails, by broadcast. */
  readonly broadcasts: ReadonlyMap<string, ReadonlySet<BroadcastResult>>;
  readonly lastActivity: Readonly<Partial<Record<Activity, Date>>>;
}

type Known = Pick<KnownReferences, 'topics' | 'segments' | 'broadcasts'>;

/** Evaluates a filter for one contact, slowly and plainly: what the compiled SQL must agree with. */
export function matchesFilter(filter: Filter, contact: FilteredContact, known: Known, now: Date): boolean {
  switch (filter.kind) {
    case 'and':
      return filter.filters.every((part) => matchesFilter(part, contact, known, now));
    case 'or':
      return filter.filters.some((part) => matchesFilter(part, contact, known, now));
    case 'not':
      return !matchesFilter(filter.filter, contact, known, now);
    default:
      return holds(filter, contact, known, now);
  }
}

function holds(condition: Condition, contact: FilteredContact, known: Known, now: Date): boolean {
  switch (condition.kind) {
    case 'text':
      return compared(textOf(condition.subject, contact), condition.operator, condition.value);
    case 'present':
      return (textOf(condition.subject, contact) ?? '') !== '';
    case 'number':
      return ordered(contact.properties[condition.property], condition.operator, condition.value);
    case 'unsubscribed':
      return contact.unsubscribed;
    case 'time':
      return ordered(timeOf(contact, condition.field).getTime(), condition.operator, condition.value.getTime());
    case 'recent':
      return timeOf(contact, condition.field) >= daysBefore(now, condition.days);
    case 'topic':
      return (
        (contact.topics.get(condition.topicId) ?? known.topics.get(condition.topicId)) === 'opt_in' &&
        known.topics.has(condition.topicId)
      );
    case 'segment':
      return known.segments.has(condition.segmentId) && contact.segmentIds.has(condition.segmentId);
    case 'broadcast':
      return (
        known.broadcasts.has(condition.broadcastId) &&
        contact.broadcasts.get(condition.broadcastId)?.has(condition.result) === true
      );
    case 'activity': {
      const last = contact.lastActivity[condition.activity];
      return last !== undefined && (condition.days === null || last >= daysBefore(now, condition.days));
    }
  }
}

function textOf(subject: TextSubject, contact: FilteredContact): string | null {
  switch (subject) {
    case 'email':
      return contact.email;
    case 'first_name':
      return contact.firstName;
    case 'last_name':
      return contact.lastName;
    default: {
      const value = contact.properties[subject.property];
      return value === undefined ? null : String(value);
    }
  }
}

function timeOf(contact: FilteredContact, field: 'created_at' | 'updated_at'): Date {
  return field === 'created_at' ? contact.createdAt : contact.updatedAt;
}

function compared(text: string | null, operator: TextOperator, value: string): boolean {
  if (text === null) return false;
  const folded = foldedCase(text);
  const wanted = foldedCase(value);
  switch (operator) {
    case 'eq':
      return folded === wanted;
    case 'contains':
      return folded.includes(wanted);
    case 'starts_with':
      return folded.startsWith(wanted);
    case 'ends_with':
      return folded.endsWith(wanted);
  }
}

function ordered(value: unknown, operator: 'eq' | OrderOperator, than: number): boolean {
  if (typeof value !== 'number') return false;
  switch (operator) {
    case 'eq':
      return value === than;
    case 'gt':
      return value > than;
    case 'gte':
      return value >= than;
    case 'lt':
      return value < than;
    case 'lte':
      return value <= than;
  }
}
