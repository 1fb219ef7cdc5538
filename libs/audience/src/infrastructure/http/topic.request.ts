import { decodeBody } from '#http/server';
import { Example, OmitOf, OneOf, PartialOf, Shape, Text } from '#http/openapi';
import { NewTopic, TopicPatch } from '../../application/topics.use-case.js';
import { maxDescriptionLength, maxTopicNameLength, subscriptions, topicVisibilities } from '../../domain/topic.js';
import type { Subscription, TopicVisibility } from '../../domain/topic.js';

class TopicFields {
  @Text('What the topic is about.', { optional: true, maxLength: maxDescriptionLength, nullable: true })
  description?: string;
  @OneOf(
    topicVisibilities,
    'Whether the topic is on the preference page of every contact (`public`), or only of those who opted ' +
      'in (`private`).',
    { optional: true },
  )
  visibility?: TopicVisibility;
}

/** Body of `POST /topics` (docs/wire-contract.md section 14). */
@Shape('A topic.')
@Example('topic', 'A topic that everyone gets until they opt out', {
  name: 'Product news',
  default_subscription: 'opt_in',
  visibility: 'public',
})
export class CreateTopicRequest extends TopicFields {
  @Text('Name of the topic.', { maxLength: maxTopicNameLength }) name!: string;
  @OneOf(subscriptions, 'What holds for contacts that made no choice. It never changes.', {})
  default_subscription!: Subscription;
}

@Shape('The fields to change. Others stay as they are; `null` clears the description.')
@Example('name', 'Another name', { name: 'Monthly news' })
export class UpdateTopicRequest extends PartialOf(OmitOf(CreateTopicRequest, 'default_subscription')) {}

export function decodeNewTopic(body: unknown): NewTopic {
  const { name, description, default_subscription, visibility } = decodeBody(CreateTopicRequest, body);
  return {
    name,
    description: description ?? null,
    defaultSubscription: default_subscription,
    visibility: visibility ?? 'private',
  };
}

export function decodeTopicPatch(body: unknown): TopicPatch {
  const { name, description, visibility } = decodeBody(UpdateTopicRequest, body);
  const clears = (body as Record<string, unknown>).description === null;
  return {
    ...(name === undefined ? {} : { name }),
    ...(description === undefined ? {} : { description }),
    ...(clears ? { description: null } : {}),
    ...(visibility === undefined ? {} : { visibility }),
  };
}
