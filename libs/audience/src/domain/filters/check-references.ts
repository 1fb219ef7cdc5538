import { nearestName, ValidationError } from '#kernel';
import { activities, Condition, conditionsOf, Filter, timeFields } from './filter.js';
import { textFields } from './parse-condition.js';

/** What exists of the things that a filter names, and how it works on contacts. */
export interface KnownReferences {
  /** Type by key. */
  readonly properties: ReadonlyMap<string, 'string' | 'number'>;
  /** By id: what holds for contacts that have made no choice. */
  readonly topics: ReadonlyMap<string, 'opt_in' | 'opt_out'>;
  /** By id: whether its members follow from a filter. */
  readonly segments: ReadonlyMap<string, { readonly isFiltered: boolean }>;
  /** The ids of those that exist. */
  readonly broadcasts: ReadonlySet<string>;
}

/**
 * Throws if the filter names something that does not exist, or a property by a value of another type. A filter cannot
 * be built on other filters, so that its cost is in its own rules and there are no circles.
 */
export function checkReferences(filter: Filter, known: KnownReferences): void {
  for (const condition of conditionsOf(filter)) {
    const trouble = troubleOf(condition, known);
    if (trouble !== undefined) throw new ValidationError(`Invalid \`filter\`: ${trouble}`);
  }
}

function troubleOf(condition: Condition, known: KnownReferences): string | undefined {
  switch (condition.kind) {
    case 'number':
      return wrongType(condition.property, 'number', known);
    case 'text':
      return typeof condition.subject === 'string' ? undefined : wrongType(condition.subject.property, 'string', known);
    case 'present':
      return typeof condition.subject === 'string' ? undefined : unknownProperty(condition.subject.property, known);
    case 'topic':
      return known.topics.has(condition.topicId) ? undefined : `the topic \`${condition.topicId}\` does not exist.`;
    case 'segment':
      return segmentTrouble(condition.segmentId, known);
    case 'broadcast':
      return known.broadcasts.has(condition.broadcastId)
        ? undefined
        : `the broadcast \`${condition.broadcastId}\` does not exist.`;
    default:
      return undefined;
  }
}

function unknownProperty(key: string, { properties }: KnownReferences): string | undefined {
  if (properties.has(key)) return undefined;
  const fields = [...textFields, ...timeFields, ...activities, 'unsubscribed'].map((field) => `contact.${field}`);
  const near = nearestName(
    `contact.properties.${key}`,
    [...properties.keys()].map((each) => `contact.properties.${each}`),
  );
  const meant = near ?? nearestName(`contact.${key}`, fields);
  return `the contact property \`${key}\` does not exist.${meant === undefined ? '' : ` Is \`${meant}\` meant?`}`;
}

function wrongType(key: string, type: 'string' | 'number', known: KnownReferences): string | undefined {
  const actual = known.properties.get(key);
  if (actual === type) return undefined;
  return unknownProperty(key, known) ?? `the contact property \`${key}\` is compared with a ${actual}.`;
}

function segmentTrouble(id: string, { segments }: KnownReferences): string | undefined {
  const segment = segments.get(id);
  if (segment === undefined) return `the segment \`${id}\` does not exist.`;
  return segment.isFiltered ? `the segment \`${id}\` has a filter itself.` : undefined;
}
