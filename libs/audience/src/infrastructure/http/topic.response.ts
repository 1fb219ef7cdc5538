import { timestamp } from '#platform/http';
import { Always, Id, Moment, OneOf, Text, TextOrNull } from '#platform/openapi';
import { subscriptions, topicVisibilities } from '../../domain/topic.js';
import type { Subscription, Topic, TopicVisibility } from '../../domain/topic.js';

/** The answer to a write of a topic (docs/wire-contract.md section 14). */
export class TopicReferenceResponse {
  @OneOf('topic') object!: 'topic';
  @Id() id!: string;
}

export class RemovedTopicResponse extends TopicReferenceResponse {
  @Always(true) deleted!: true;
}

export class TopicSummaryResponse {
  @Id() id!: string;
  @Text() name!: string;
  @TextOrNull() description!: string | null;
  @OneOf(...subscriptions) default_subscription!: Subscription;
  @OneOf(...topicVisibilities) visibility!: TopicVisibility;
  @Moment() created_at!: string;
}

export class TopicResponse extends TopicSummaryResponse {
  @OneOf('topic') object!: 'topic';
}

export function topicSummary(topic: Topic): TopicSummaryResponse {
  return {
    id: topic.id,
    name: topic.name,
    description: topic.description,
    default_subscription: topic.defaultSubscription,
    visibility: topic.visibility,
    created_at: timestamp(topic.createdAt),
  };
}
