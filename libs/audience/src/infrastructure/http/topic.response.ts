import { toResponse } from '#http/server';
import { Always, Deleted, Id, Moment, OneOf, ReferenceTo, Shape, Text, TextOrNull } from '#http/openapi';
import { subscriptions, topicVisibilities } from '../../domain/topic.js';
import type { Subscription, Topic, TopicVisibility } from '../../domain/topic.js';
import { topicId } from './example-ids.js';

/** The answer to a write of a topic (docs/wire-contract.md section 14). */
@Shape('The topic that was written.')
export class TopicReferenceResponse extends ReferenceTo('topic', 'Id of the topic.', topicId) {}

@Shape('The topic that was deleted.')
export class RemovedTopicResponse extends Deleted(TopicReferenceResponse) {}

@Shape('A topic in a list.')
export class TopicSummaryResponse {
  @Id('Id of the topic.', topicId) id!: string;
  @Text('Name of the topic.', 'Product news') name!: string;
  @TextOrNull('What the topic is about; null if that is not said.', 'What is new, once a month.')
  description!: string | null;
  @OneOf(subscriptions, 'What holds for contacts that made no choice. It never changes.', 'opt_in')
  default_subscription!: Subscription;
  @OneOf(
    topicVisibilities,
    'Whether the topic is on the preference page of every contact (`public`), or only of those who opted ' +
      'in (`private`).',
    'public',
  )
  visibility!: TopicVisibility;
  @Moment('When it was created.', '2026-11-30 20:41:12.3+00') created_at!: string;
}

@Shape('A topic.')
export class TopicResponse extends TopicSummaryResponse {
  @Always('topic') object!: 'topic';
}

export const topicSummary = (topic: Topic): TopicSummaryResponse => toResponse(TopicSummaryResponse, topic);
