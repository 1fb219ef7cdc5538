import { isUuid, MissingFieldError, ValidationError } from '#kernel';
import { decodeBody } from '#http/server';
import { AnyObject, Example, Flag, List, PartialOf, QueryParameter, Shape, Text } from '#http/openapi';
import { NewContact } from '../../application/upsert-contact.use-case.js';
import { RequestedPatch } from '../../application/update-contact.use-case.js';
import { maxNameLength, parseContactAddress } from '../../domain/contact.js';
import { TopicChoice } from '../../domain/contact-event.js';
import { maxProperties } from '../../domain/property.js';
import { maxSegments } from '../../domain/segment.js';
import { maxTopics, Subscription, subscriptions } from '../../domain/topic.js';
import { segmentId, topicId } from './example-ids.js';

const topicsMessage = 'The `topics` field must be an array of objects with `id` and `subscription`.';
const topics = {
  maxItems: maxTopics,
  items: {
    type: 'object',
    required: ['id', 'subscription'],
    properties: {
      id: { type: 'string', format: 'uuid', description: 'Id of the topic.' },
      subscription: { type: 'string', enum: subscriptions, description: 'Whether the contact gets its mail.' },
    },
  },
  message: topicsMessage,
  boundsMessage: `The \`topics\` field may have at most ${maxTopics} items.`,
};

class ContactFields {
  @Text('First name.', { optional: true, nullable: true, maxLength: maxNameLength }) first_name?: string;
  @Text('Last name.', { optional: true, nullable: true, maxLength: maxNameLength }) last_name?: string;
  @Flag('Whether the contact wants no broadcasts at all. Default: false.', {
    optional: true,
    message: 'The `unsubscribed` field must be true or false.',
  })
  unsubscribed?: boolean;
  @AnyObject('Values by the key of a contact property. `null` removes a value; values that are not given stay.', {
    optional: true,
  })
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
  @Text('The address, without a name.') email!: string;
}

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
  @List('Segments to add it to: ids, or objects with the `id`.', {
    optional: true,
    maxItems: maxSegments,
    items: {
      oneOf: [
        { type: 'string', format: 'uuid' },
        { type: 'object', required: ['id'], properties: { id: { type: 'string', format: 'uuid' } } },
      ],
    },
  })
  segments?: unknown[];
  @List('Topics that it wants, or does not want.', { optional: true, ...topics }) topics?: unknown[];
  @Text('Old name for one segment.', { optional: true, format: 'uuid' }) audience_id?: string;
}

@Shape('The fields to change. Others stay as they are; `null` clears a name.', {
  email: 'A new address. No other contact may have it.',
})
@Example('unsubscribe', 'No more broadcasts', { unsubscribed: true })
export class UpdateContactRequest extends PartialOf(CreateAudienceContactRequest) {}

/** Body of `PATCH /contacts/{idOrEmail}/topics`: this object, or its array alone. */
@Shape('The choices. The array may also be the whole body.')
@Example('choices', 'One choice', { topics: [{ id: topicId, subscription: 'opt_out' }] })
export class UpdateContactTopicsRequest {
  @List('Topics that the contact wants, or does not want. Others stay as they are.', topics) topics!: unknown[];
}

/** @param segmentId the segment of the path, if there is one. */
export function decodeNewContact(body: unknown, segmentId?: string): NewContact {
  const request = decodeBody(segmentId === undefined ? CreateContactRequest : CreateAudienceContactRequest, body);
  const { segments = [], topics: choices = [], audience_id } = request as CreateContactRequest;
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
    topics: decodeTopics(choices),
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
  return decodeTopics(decodeBody(UpdateContactTopicsRequest, Array.isArray(body) ? { topics: body } : body).topics);
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

export const SearchedContacts = QueryParameter(
  'search',
  'Only contacts whose address, first name or last name begins with this text, in any case. Of two ' +
    'words, the first may be the first name, and the last name begins with the second.',
  { maxLength: 320 },
  'ada',
);

/** A query parameter that is given at most once. Empty counts as absent. */
export function textFrom(name: string, value: unknown): string | undefined {
  if (value === undefined || value === '') return undefined;
  if (typeof value !== 'string') throw new ValidationError(`The \`${name}\` parameter must be given once.`);
  return value;
}
