import type { TeamEvent } from '#events';
import { newId } from '#kernel';

export type Subscription = 'opt_in' | 'opt_out';

export const subscriptions: readonly Subscription[] = ['opt_in', 'opt_out'];

/** Public topics are on the preference page of every contact, private ones only for contacts that opted in. */
export type TopicVisibility = 'private' | 'public';

export const topicVisibilities: readonly TopicVisibility[] = ['private', 'public'];

/** A kind of mail to which contacts subscribe. */
export interface Topic {
  readonly id: string;
  readonly teamId: string;
  readonly name: string;
  readonly description: string | null;
  /** What holds for contacts that have made no choice. It never changes. */
  readonly defaultSubscription: Subscription;
  readonly visibility: TopicVisibility;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export const maxTopics = 200;
export const maxTopicNameLength = 50;
export const maxDescriptionLength = 200;

/** docs/wire-contract.md section 22.4 */
export function topicEvent(
  type: 'topic.created' | 'topic.updated' | 'topic.deleted',
  topic: Topic,
  now: Date,
  previous?: Partial<Record<'name' | 'description' | 'visibility', string | null>>,
): TeamEvent {
  return {
    id: newId(now.getTime()),
    teamId: topic.teamId,
    type,
    data: {
      id: topic.id,
      name: topic.name,
      description: topic.description,
      default_subscription: topic.defaultSubscription,
      deleted: type === 'topic.deleted',
      created_at: topic.createdAt.toISOString(),
      updated_at: topic.updatedAt.toISOString(),
      ...(previous === undefined ? {} : { previous_attributes: previous }),
    },
    createdAt: now,
  };
}
