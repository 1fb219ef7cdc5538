import { isUuid, MissingFieldError, ValidationError } from '#kernel';
import { decodeBody, mustBeString, tooLong } from '#http/server';
import { Example, Field, OptionalField, Shape, Text } from '#http/openapi';
import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsDefined,
  IsObject,
  IsOptional,
  IsString,
  MaxLength,
} from 'class-validator';
import { NewContact } from '../../application/upsert-contact.use-case.js';
import { RequestedPatch } from '../../application/update-contact.use-case.js';
import { maxNameLength, parseContactAddress } from '../../domain/contact.js';
import { TopicChoice } from '../../domain/contact-event.js';
import { maxProperties } from '../../domain/property.js';
import { maxSegments } from '../../domain/segment.js';
import { maxTopics, Subscription, subscriptions } from '../../domain/topic.js';
import { segmentId, topicId } from './example-ids.js';

const topicsMessage = 'The `topics` field must be an array of objects with `id` and `subscription`.';
const choice = {
  type: 'object' as const,
  required: ['id', 'subscription'],
  properties: {
    id: { type: 'string', format: 'uuid', description: 'Id of the topic.' },
    subscription: { type: 'string', enum: [...subscriptions], description: 'Whether the contact gets its mail.' },
  },
};

class ContactFields {
  @OptionalField('First name.', { nullable: true, maxLength: maxNameLength })
  @IsOptional()
  @IsString(mustBeString)
  @MaxLength(maxNameLength, tooLong)
  first_name?: string;

  @OptionalField('Last name.', { nullable: true, maxLength: maxNameLength })
  @IsOptional()
  @IsString(mustBeString)
  @MaxLength(maxNameLength, tooLong)
  last_name?: string;

  @OptionalField('Whether the contact wants no broadcasts at all. Default: false.', { type: Boolean })
  @IsOptional()
  @IsBoolean({ message: 'The `unsubscribed` field must be true or false.' })
  unsubscribed?: boolean;

  @OptionalField('Values by the key of a contact property. `null` removes a value; values that are not given stay.', {
    type: 'object',
    additionalProperties: true,
  })
  @IsOptional()
  @IsObject({ message: 'The `properties` field must be an object.' })
  properties?: Record<string, unknown>;
}

/** Body of `POST /audiences/{audienceId}/contacts` (docs/wire-contract.md section 12). */
@Shape('A contact. Only `email` is required.')
@Example('contact', 'A contact', {
  email: 'ada@customer.example',
  first_name: 'Ada',
  last_name: 'Lovelace',
  properties: { plan: 'pro', seats: 12 },
})
export class CreateAudienceContactRequest extends ContactFields {
  @Text('The address, without a name.')
  @IsDefined()
  @IsString(mustBeString)
  email!: string;
}

/** Body of `POST /contacts`. */
@Shape('A contact. Only `email` is required.')
@Example('contact', 'A contact', {
  email: 'ada@customer.example',
  first_name: 'Ada',
  last_name: 'Lovelace',
  properties: { plan: 'pro', seats: 12 },
})
@Example('groups', 'With a segment and a topic', {
  email: 'ada@customer.example',
  segments: [{ id: segmentId }],
  topics: [{ id: topicId, subscription: 'opt_in' }],
})
export class CreateContactRequest extends CreateAudienceContactRequest {
  @OptionalField('Segments to add it to: ids, or objects with the `id`.', {
    type: 'array',
    maxItems: maxSegments,
    items: {
      oneOf: [
        { type: 'string', format: 'uuid' },
        { type: 'object', required: ['id'], properties: { id: { type: 'string', format: 'uuid' } } },
      ],
    },
  })
  @IsOptional()
  @IsArray({ message: 'The `segments` field must be an array.' })
  @ArrayMaxSize(maxSegments, { message: `The \`segments\` field may have at most ${maxSegments} items.` })
  segments?: unknown[];

  @OptionalField('Topics that it wants, or does not want.', { type: 'array', maxItems: maxTopics, items: choice })
  @IsOptional()
  @IsArray({ message: topicsMessage })
  @ArrayMaxSize(maxTopics, { message: `The \`topics\` field may have at most ${maxTopics} items.` })
  topics?: unknown[];

  @OptionalField('Old name for one segment.', { format: 'uuid' })
  @IsOptional()
  @IsString(mustBeString)
  audience_id?: string;
}

/** Body of `PATCH /contacts/{idOrEmail}`. */
@Shape('The fields to change. Others stay as they are; `null` clears a name.')
@Example('unsubscribe', 'No more broadcasts', { unsubscribed: true })
export class UpdateContactRequest extends ContactFields {
  @OptionalField('A new address. No other contact may have it.')
  @IsOptional()
  @IsString(mustBeString)
  email?: string;
}

/** Body of `PATCH /contacts/{idOrEmail}/topics`: this object, or its array alone. */
@Shape('The choices. The array may also be the whole body.')
@Example('choices', 'One choice', { topics: [{ id: topicId, subscription: 'opt_out' }] })
export class UpdateContactTopicsRequest {
  @Field('Topics that the contact wants, or does not want. Others stay as they are.', {
    type: 'array',
    maxItems: maxTopics,
    items: choice,
  })
  @IsDefined()
  @IsArray({ message: topicsMessage })
  @ArrayMaxSize(maxTopics, { message: `The \`topics\` field may have at most ${maxTopics} items.` })
  topics!: unknown[];
}

/** @param segmentId the segment of the path, if there is one. */
export function decodeNewContact(body: unknown, segmentId?: string): NewContact {
  const request = decodeBody(segmentId === undefined ? CreateContactRequest : CreateAudienceContactRequest, body);
  const { segments = [], topics = [], audience_id } = request as CreateContactRequest;
  const ids = segments.map(segmentIdOf);
  if (audience_id !== undefined) {
    if (!isUuid(audience_id)) throw new ValidationError('The `audience_id` must be a valid UUID.');
    ids.push(audience_id.toLowerCase());
  }
  if (segmentId !== undefined) ids.push(segmentId);
  return {
    email: parseContactAddress('email', request.email),
    patch: fieldsOf(request),
    segmentIds: [...new Set(ids)],
    topics: decodeTopics(topics),
  };
}

/** `null` clears a name, and `""` counts as absent, as some clients send it for absent fields. */
export function decodeContactPatch(body: unknown): RequestedPatch {
  const request = decodeBody(UpdateContactRequest, body);
  const given = body as Record<string, unknown>;
  return {
    ...(request.email === undefined ? {} : { email: parseContactAddress('email', request.email) }),
    ...fieldsOf(request),
    ...(given.first_name === null ? { firstName: null } : {}),
    ...(given.last_name === null ? { lastName: null } : {}),
  };
}

export function decodeContactTopics(body: unknown): TopicChoice[] {
  const { topics } = decodeBody(UpdateContactTopicsRequest, Array.isArray(body) ? { topics: body } : body);
  return decodeTopics(topics);
}

function fieldsOf({ first_name, last_name, unsubscribed, properties }: ContactFields): RequestedPatch {
  if (properties !== undefined && Object.keys(properties).length > maxProperties) {
    throw new ValidationError(`The \`properties\` field may have at most ${maxProperties} entries.`);
  }
  return {
    ...(first_name === undefined ? {} : { firstName: first_name }),
    ...(last_name === undefined ? {} : { lastName: last_name }),
    ...(unsubscribed === undefined ? {} : { unsubscribed }),
    ...(properties === undefined ? {} : { properties }),
  };
}

/** A segment is given as its id, or as an object with the id. */
function segmentIdOf(item: unknown): string {
  const id = typeof item === 'object' && item !== null && 'id' in item ? item.id : item;
  if (typeof id === 'string' && isUuid(id)) return id.toLowerCase();
  throw new ValidationError('The `segments` field must be an array of ids of segments.');
}

/** Of a topic that is given twice, the last choice counts. */
function decodeTopics(items: readonly unknown[]): TopicChoice[] {
  const choices = new Map<string, Subscription>();
  for (const item of items) {
    if (typeof item !== 'object' || item === null) throw new ValidationError(topicsMessage);
    const { id, subscription } = item as { id?: unknown; subscription?: unknown };
    if (id === undefined) throw new MissingFieldError('id');
    if (typeof id !== 'string' || !isUuid(id)) throw new ValidationError('The `id` of a topic must be a valid UUID.');
    const known = subscriptions.find((one) => one === subscription);
    if (known === undefined) throw new ValidationError('The `subscription` must be `opt_in` or `opt_out`.');
    choices.set(id.toLowerCase(), known);
  }
  return [...choices].map(([topicId, subscription]) => ({ topicId, subscription }));
}
