import type { TeamEvent } from '#events';
import { newId } from '#kernel';
import { Contact } from './contact.js';
import { FieldChanges } from './contact-change.js';
import { Subscription } from './topic.js';

export type ContactEventType = 'contact.created' | 'contact.updated' | 'contact.deleted';

/** docs/wire-contract.md section 22.4 */
export function contactEvent(
  type: ContactEventType,
  contact: Contact,
  segmentIds: readonly string[],
  changes: FieldChanges,
  now: Date,
): TeamEvent {
  return {
    id: newId(now.getTime()),
    teamId: contact.teamId,
    type,
    data: {
      id: contact.id,
      audience_id: segmentIds[0] ?? null,
      segment_ids: segmentIds,
      created_at: contact.createdAt.toISOString(),
      updated_at: contact.updatedAt.toISOString(),
      email: contact.email,
      first_name: contact.firstName,
      last_name: contact.lastName,
      unsubscribed: contact.unsubscribed,
      properties: contact.properties,
      ...(type === 'contact.updated' ? { previous_attributes: previousAttributes(segmentIds, changes) } : {}),
    },
    createdAt: now,
  };
}

export interface TopicChoice {
  readonly topicId: string;
  readonly subscription: Subscription;
}

export function contactTopicsEvent(
  { teamId, id, email }: Contact,
  topics: readonly TopicChoice[],
  changes: FieldChanges,
  now: Date,
): TeamEvent {
  return {
    id: newId(now.getTime()),
    teamId,
    type: 'contact.topics.updated',
    data: {
      id,
      email,
      topics: topics.map(({ topicId, subscription }) => ({ id: topicId, subscription })),
      previous_attributes: {
        topics: topics.map(({ topicId }) => ({
          id: topicId,
          subscription: changes[`topics.${topicId}`]?.from ?? null,
        })),
      },
    },
    createdAt: now,
  };
}

/** The old values of the fields that changed, under the names of the event. */
function previousAttributes(segmentIds: readonly string[], changes: FieldChanges): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  const properties: Record<string, unknown> = {};
  const segments = new Set(segmentIds);
  let segmentsChanged = false;
  for (const [name, { from }] of Object.entries(changes)) {
    const [kind, rest] = split(name);
    if (kind === 'properties') properties[rest] = from;
    else if (kind === 'segments') {
      segmentsChanged = true;
      if (from === true) segments.add(rest);
      else segments.delete(rest);
    } else fields[name] = from;
  }
  return {
    ...fields,
    ...(Object.keys(properties).length === 0 ? {} : { properties }),
    ...(segmentsChanged ? { segment_ids: [...segments] } : {}),
  };
}

function split(name: string): [kind: string, rest: string] {
  const dot = name.indexOf('.');
  return dot === -1 ? [name, ''] : [name.slice(0, dot), name.slice(dot + 1)];
}
