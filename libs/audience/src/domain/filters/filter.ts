/**
 * The conditions of a segment whose members follow from a filter, in the form in which they are evaluated. Every
 * condition is true or false for every contact: a value that is absent fulfils no condition, and so fulfils each
 * negated one.
 */
export type Filter = Condition | FilterGroup | NegatedFilter;

export interface FilterGroup {
  readonly kind: 'and' | 'or';
  readonly filters: readonly Filter[];
}

export interface NegatedFilter {
  readonly kind: 'not';
  readonly filter: Filter;
}

export type Condition =
  | TextCondition
  | PresenceCondition
  | NumberCondition
  | UnsubscribedCondition
  | TimeCondition
  | RecentCondition
  | TopicCondition
  | SegmentCondition
  | BroadcastCondition
  | ActivityCondition;

/** A text of a contact: its address, a name, or a property by key. */
export type TextSubject = 'email' | 'first_name' | 'last_name' | { readonly property: string };

export const textOperators = ['eq', 'contains', 'starts_with', 'ends_with'] as const;
export const orderOperators = ['gt', 'gte', 'lt', 'lte'] as const;
export type TextOperator = (typeof textOperators)[number];
export type OrderOperator = (typeof orderOperators)[number];

/** Upper and lower case are the same. */
export interface TextCondition {
  readonly kind: 'text';
  readonly subject: TextSubject;
  readonly operator: TextOperator;
  readonly value: string;
}

/** The contact has this value, and it is no empty text. */
export interface PresenceCondition {
  readonly kind: 'present';
  readonly subject: TextSubject;
}

export interface NumberCondition {
  readonly kind: 'number';
  readonly property: string;
  readonly operator: 'eq' | OrderOperator;
  readonly value: number;
}

export interface UnsubscribedCondition {
  readonly kind: 'unsubscribed';
}

export const timeFields = ['created_at', 'updated_at'] as const;
export type TimeField = (typeof timeFields)[number];

export interface TimeCondition {
  readonly kind: 'time';
  readonly field: TimeField;
  readonly operator: OrderOperator;
  readonly value: Date;
}

export interface RecentCondition {
  readonly kind: 'recent';
  readonly field: TimeField;
  readonly days: number;
}

/** The contact gets mail of this topic: by its own choice, or by the default of the topic if it has made none. */
export interface TopicCondition {
  readonly kind: 'topic';
  readonly topicId: string;
}

/** The contact was added to this segment. */
export interface SegmentCondition {
  readonly kind: 'segment';
  readonly segmentId: string;
}

/** `opened` and `clicked` are by a person. */
export const broadcastResults = [
  'sent',
  'delivered',
  'opened',
  'clicked',
  'bounced',
  'complained',
  'unsubscribed',
] as const;
export type BroadcastResult = (typeof broadcastResults)[number];

/** This has happened with the email of this broadcast to the contact. */
export interface BroadcastCondition {
  readonly kind: 'broadcast';
  readonly broadcastId: string;
  readonly result: BroadcastResult;
}

/** `opened` and `clicked` are by a person; privacy proxies and scanners of links count as machines. */
export const activities = ['sent', 'opened', 'clicked', 'machine_opened', 'machine_clicked'] as const;
export type Activity = (typeof activities)[number];

export interface ActivityCondition {
  readonly kind: 'activity';
  readonly activity: Activity;
  /** In the last so many days; null: ever. */
  readonly days: number | null;
}

export const filterLimits = {
  maxDepth: 8,
  maxConditions: 100,
  maxValueLength: 500,
  maxDays: 3_650,
} as const;

/** What a filter names besides the fields that every contact has. */
export interface FilterReferences {
  readonly properties: readonly string[];
  readonly topicIds: readonly string[];
  readonly segmentIds: readonly string[];
  readonly broadcastIds: readonly string[];
}

export function conditionsOf(filter: Filter): readonly Condition[] {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.filters.flatMap(conditionsOf);
    case 'not':
      return conditionsOf(filter.filter);
    default:
      return [filter];
  }
}

export function referencesOf(filter: Filter): FilterReferences {
  const conditions = conditionsOf(filter);
  return {
    properties: distinct(conditions.flatMap(propertyOf)),
    topicIds: distinct(conditions.flatMap((each) => (each.kind === 'topic' ? [each.topicId] : []))),
    segmentIds: distinct(conditions.flatMap((each) => (each.kind === 'segment' ? [each.segmentId] : []))),
    broadcastIds: distinct(conditions.flatMap((each) => (each.kind === 'broadcast' ? [each.broadcastId] : []))),
  };
}

/** The moment at which a period of days ends that began `days` days ago. */
export function daysBefore(now: Date, days: number): Date {
  return new Date(now.getTime() - days * 86_400_000);
}

function propertyOf(condition: Condition): readonly string[] {
  if (condition.kind === 'number') return [condition.property];
  if (condition.kind !== 'text' && condition.kind !== 'present') return [];
  return typeof condition.subject === 'string' ? [] : [condition.subject.property];
}

function distinct(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}
