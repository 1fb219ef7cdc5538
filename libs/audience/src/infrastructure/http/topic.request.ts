import { decodeBody, mustBeString, tooLong } from '#http/server';
import { Example, Field, OptionalField, Shape } from '#http/openapi';
import { IsDefined, IsIn, IsOptional, IsString, MaxLength } from 'class-validator';
import { NewTopic, TopicPatch } from '../../application/topics.use-case.js';
import { maxDescriptionLength, maxTopicNameLength, subscriptions, topicVisibilities } from '../../domain/topic.js';
import type { Subscription, TopicVisibility } from '../../domain/topic.js';

const visibilityMessage = { message: 'The `visibility` field must be `private` or `public`.' };

class TopicFields {
  @OptionalField('What the topic is about.', { maxLength: maxDescriptionLength, nullable: true })
  @IsOptional()
  @IsString(mustBeString)
  @MaxLength(maxDescriptionLength, tooLong)
  description?: string;

  @OptionalField(
    'Whether the topic is on the preference page of every contact (`public`), or only of those who opted ' +
      'in (`private`).',
    { enum: [...topicVisibilities] },
  )
  @IsOptional()
  @IsIn([...topicVisibilities], visibilityMessage)
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
  @Field('Name of the topic.', { maxLength: maxTopicNameLength })
  @IsDefined()
  @IsString(mustBeString)
  @MaxLength(maxTopicNameLength, tooLong)
  name!: string;

  @Field('What holds for contacts that made no choice. It never changes.', { enum: [...subscriptions] })
  @IsDefined()
  @IsIn([...subscriptions], { message: 'The `default_subscription` field must be `opt_in` or `opt_out`.' })
  default_subscription!: Subscription;
}

/** Body of `PATCH /topics/{id}`. */
@Shape('The fields to change. Others stay as they are; `null` clears the description.')
@Example('name', 'Another name', { name: 'Monthly news' })
export class UpdateTopicRequest extends TopicFields {
  @OptionalField('Name of the topic.', { maxLength: maxTopicNameLength })
  @IsOptional()
  @IsString(mustBeString)
  @MaxLength(maxTopicNameLength, tooLong)
  name?: string;
}

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
