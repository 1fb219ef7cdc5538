import { toResponse } from '#http/server';
import {
  Always,
  Deleted,
  Field,
  Flag,
  Id,
  IdOrNull,
  ListOf,
  Moment,
  MomentOrNull,
  OneOf,
  ReferenceTo,
  Shape,
  Text,
  TextOrNull,
} from '#http/openapi';
import { ContactInFull } from '../../application/read-contacts.query.js';
import { TopicOfContact } from '../../application/ports/topic-repository.port.js';
import { SegmentOfContact } from '../../application/ports/segment-repository.port.js';
import { Contact } from '../../domain/contact.js';
import { changeSources } from '../../domain/contact-change.js';
import type { ChangeSource, ContactChange, ContactChangeType } from '../../domain/contact-change.js';
import { TopicChoice } from '../../domain/contact-event.js';
import { subscriptions } from '../../domain/topic.js';
import type { Subscription } from '../../domain/topic.js';
import { contactId, segmentId, topicId } from './example-ids.js';

/** What the answers to writes of a contact have in common (docs/wire-contract.md section 12). */
@Shape('The contact that was written.')
export class ContactReferenceResponse extends ReferenceTo('contact', 'Id of the contact.', contactId) {}

@Shape('The contact that was deleted.')
export class RemovedContactResponse {
  @Always('contact') object!: 'contact';
  @Text('Id of the contact.', contactId) id!: string;
  @Text('The same id; on the old path of an audience, what the path named.', 'ada@customer.example')
  contact!: string;
  @Always(true) deleted!: true;
}

@Shape('A contact in a list.')
export class ContactSummaryResponse {
  @Id('Id of the contact.', contactId) id!: string;
  @Text('The address, in lower case.', 'ada@customer.example') email!: string;
  @TextOrNull('First name; null if there is none.', 'Ada') first_name!: string | null;
  @TextOrNull('Last name; null if there is none.', 'Lovelace') last_name!: string | null;
  @Moment('When the contact was added.', '2026-11-30 20:41:12.3+00') created_at!: string;
  @Flag('Whether the contact wants no broadcasts at all.', false) unsubscribed!: boolean;
}

@Shape('A contact.')
export class ContactResponse extends ContactSummaryResponse {
  @Always('contact') object!: 'contact';
  @Field(
    'Its values by the key of the property, each with its type.',
    {
      type: 'object',
      additionalProperties: {
        type: 'object',
        required: ['type', 'value'],
        properties: {
          type: { type: 'string', enum: ['string', 'number'] },
          value: { oneOf: [{ type: 'string' }, { type: 'number' }] },
        },
      },
    },
    { plan: { type: 'string', value: 'pro' }, seats: { type: 'number', value: 12 } },
  )
  properties!: ContactInFull['properties'];
  @Moment('When a field last changed.', '2026-11-30 20:45:00.25+00') updated_at!: string;
  @MomentOrNull('When it unsubscribed; null where it is not unsubscribed.') unsubscribed_at!: string | null;
  @MomentOrNull('When mail last bounced because the address does not exist; null where it never did.')
  bounced_at!: string | null;
  @MomentOrNull('When it last reported your mail as spam; null where it never did.') complained_at!: string | null;
}

@Shape('A segment of a contact.')
export class ContactSegmentResponse {
  @Id('Id of the segment.', segmentId) id!: string;
  @Text('Name of the segment.', 'Customers') name!: string;
  @Moment('When the contact joined it.', '2026-11-30 20:41:12.3+00') created_at!: string;
}

@Shape('The membership.')
export class ContactSegmentReferenceResponse {
  @Always('contact_segment') object!: 'contact_segment';
  @Id('Id of the segment.', segmentId) id!: string;
  @Id('Id of the contact.', contactId) contact_id!: string;
  @Id('Id of the segment.', segmentId) segment_id!: string;
}

@Shape('The membership that has ended.')
export class RemovedContactSegmentResponse extends Deleted(ContactSegmentReferenceResponse) {}

@Shape('A topic, and whether a contact gets its mail.')
export class ContactTopicResponse {
  @Id('Id of the topic.', topicId) id!: string;
  @Text('Name of the topic.', 'Product news') name!: string;
  @TextOrNull('Description of the topic; null if there is none.') description!: string | null;
  @OneOf(subscriptions, 'The choice of the contact, else the default of the topic.', 'opt_in')
  subscription!: Subscription;
}

@Shape('A choice.')
class TopicChoiceResponse {
  @Id('Id of the topic.', topicId) id!: string;
  @OneOf(subscriptions, 'Whether the contact gets its mail.', 'opt_out') subscription!: Subscription;
}

@Shape('The choices that were written.')
export class ContactTopicsReferenceResponse {
  @Always('contact_topics') object!: 'contact_topics';
  @Id('Id of the contact.', contactId) id!: string;
  @Id('Id of the contact.', contactId) contact_id!: string;
  @ListOf(TopicChoiceResponse, 'The choices of the request.') topics!: TopicChoiceResponse[];
}

@Shape('A field that changed.')
class ChangedFieldResponse {
  @Text('Name of the field, such as `first_name`, `properties.plan`, `segments.<id>` or `topics.<id>`.', 'unsubscribed')
  field!: string;
  @Field(
    'The value before; null if there was none.',
    { nullable: true, oneOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }] },
    false,
  )
  from!: unknown;
  @Field(
    'The value after; null if there is none.',
    { nullable: true, oneOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }] },
    true,
  )
  to!: unknown;
}

@Shape('Who did something.')
class ActorResponse {
  @OneOf(['api_key', 'user', 'service'], 'An API key, a user, or the service itself.', 'service') kind!: string;
  @IdOrNull('Its id; null for the service.') id!: string | null;
}

@Shape('A change of a contact.')
export class ContactChangeResponse {
  @Id('Id of the change.', '0193a1f8-5a6b-7c7d-8e8f-9a0b1c2d3e4f') id!: string;
  @OneOf(['created', 'updated', 'topics_updated', 'deleted'], 'What happened.', 'updated') type!: ContactChangeType;
  @OneOf(
    changeSources,
    'By which way: the API, a file, the link in an email, the unsubscribe button of a mail program, or a ' +
      'bounce or complaint.',
    'one-click',
  )
  source!: ChangeSource;
  @Field('Who did it.', { type: ActorResponse }) actor!: ActorResponse;
  @ListOf(ChangedFieldResponse, 'The fields that changed.') changes!: ChangedFieldResponse[];
  @Moment('When it happened.', '2026-11-30 20:45:00.25+00') created_at!: string;
}

export function contactReference(id: string): ContactReferenceResponse {
  return { object: 'contact', id };
}

export function removedContact(id: string, contact = id): RemovedContactResponse {
  return { object: 'contact', id, contact, deleted: true };
}

export const contactSummary = (contact: Contact): ContactSummaryResponse => toResponse(ContactSummaryResponse, contact);

export const contactResponse = ({ contact, properties }: ContactInFull): ContactResponse =>
  toResponse(ContactResponse, contact, { properties });

export const contactSegment = (contact: SegmentOfContact): ContactSegmentResponse =>
  toResponse(ContactSegmentResponse, contact);

export function contactSegmentReference(contactId: string, segmentId: string): ContactSegmentReferenceResponse {
  return { object: 'contact_segment', id: segmentId, contact_id: contactId, segment_id: segmentId };
}

export function contactTopic({ topic, chosen }: TopicOfContact): ContactTopicResponse {
  const { id, name, description, defaultSubscription } = topic;
  return { id, name, description, subscription: chosen ?? defaultSubscription };
}

export function contactTopicsReference(id: string, topics: readonly TopicChoice[]): ContactTopicsReferenceResponse {
  const choices = topics.map(({ topicId, subscription }) => ({ id: topicId, subscription }));
  return { object: 'contact_topics', id, contact_id: id, topics: choices };
}

export const contactChange = (change: ContactChange): ContactChangeResponse =>
  toResponse(ContactChangeResponse, change, {
    actor: { kind: change.actor.kind, id: 'id' in change.actor ? change.actor.id : null },
    changes: Object.entries(change.changes).map(([field, { from, to }]) => ({ field, from, to })),
  });
