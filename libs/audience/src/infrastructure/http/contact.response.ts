import { timestamp } from '#platform/http';
import {
  Always,
  ApiProperty,
  Flag,
  Id,
  IdOrNull,
  Moment,
  MomentOrNull,
  OneOf,
  Text,
  TextOrNull,
} from '#platform/openapi';
import { ContactInFull } from '../../application/read-contacts.query.js';
import { TopicOfContact } from '../../application/ports/subscription-repository.port.js';
import { SegmentOfContact } from '../../application/ports/membership-repository.port.js';
import { Contact } from '../../domain/contact.js';
import { changeSources } from '../../domain/contact-change.js';
import type { ChangeSource, ContactChange, ContactChangeType } from '../../domain/contact-change.js';
import { TopicChoice } from '../../domain/contact-event.js';
import { subscriptions } from '../../domain/topic.js';
import type { Subscription } from '../../domain/topic.js';

/** What the answers to writes of a contact have in common (docs/wire-contract.md section 12). */
export class ContactReferenceResponse {
  @OneOf('contact') object!: 'contact';
  @Id() id!: string;
}

export class RemovedContactResponse {
  @OneOf('contact') object!: 'contact';
  @Text() id!: string;
  @Text() contact!: string;
  @Always(true) deleted!: true;
}

export class ContactSummaryResponse {
  @Id() id!: string;
  @Text() email!: string;
  @TextOrNull() first_name!: string | null;
  @TextOrNull() last_name!: string | null;
  @Moment() created_at!: string;
  @Flag() unsubscribed!: boolean;
}

export class ContactResponse extends ContactSummaryResponse {
  @OneOf('contact') object!: 'contact';
  @ApiProperty({
    type: 'object',
    additionalProperties: {
      type: 'object',
      required: ['type', 'value'],
      properties: {
        type: { type: 'string', enum: ['string', 'number'] },
        value: { oneOf: [{ type: 'string' }, { type: 'number' }] },
      },
    },
  })
  properties!: ContactInFull['properties'];
  @Moment() updated_at!: string;
  @MomentOrNull() unsubscribed_at!: string | null;
  @MomentOrNull() bounced_at!: string | null;
  @MomentOrNull() complained_at!: string | null;
}

export class ContactSegmentResponse {
  @Id() id!: string;
  @Text() name!: string;
  @Moment() created_at!: string;
}

export class ContactSegmentReferenceResponse {
  @OneOf('contact_segment') object!: 'contact_segment';
  @Id() id!: string;
  @Id() contact_id!: string;
  @Id() segment_id!: string;
}

export class RemovedContactSegmentResponse extends ContactSegmentReferenceResponse {
  @Always(true) deleted!: true;
}

export class ContactTopicResponse {
  @Id() id!: string;
  @Text() name!: string;
  @TextOrNull() description!: string | null;
  @OneOf(...subscriptions) subscription!: Subscription;
}

class TopicChoiceResponse {
  @Id() id!: string;
  @OneOf(...subscriptions) subscription!: Subscription;
}

export class ContactTopicsReferenceResponse {
  @OneOf('contact_topics') object!: 'contact_topics';
  @Id() id!: string;
  @Id() contact_id!: string;
  @ApiProperty({ type: [TopicChoiceResponse] }) topics!: TopicChoiceResponse[];
}

class ChangedFieldResponse {
  @Text() field!: string;
  @ApiProperty({ nullable: true, oneOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }] }) from!: unknown;
  @ApiProperty({ nullable: true, oneOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }] }) to!: unknown;
}

class ActorResponse {
  @OneOf('api_key', 'user', 'service') kind!: string;
  @IdOrNull() id!: string | null;
}

export class ContactChangeResponse {
  @Id() id!: string;
  @OneOf('created', 'updated', 'topics_updated', 'deleted') type!: ContactChangeType;
  @OneOf(...changeSources) source!: ChangeSource;
  @ApiProperty({ type: ActorResponse }) actor!: ActorResponse;
  @ApiProperty({ type: [ChangedFieldResponse] }) changes!: ChangedFieldResponse[];
  @Moment() created_at!: string;
}

export function contactReference(id: string): ContactReferenceResponse {
  return { object: 'contact', id };
}

export function removedContact(id: string, contact = id): RemovedContactResponse {
  return { object: 'contact', id, contact, deleted: true };
}

export function contactSummary(contact: Contact): ContactSummaryResponse {
  return {
    id: contact.id,
    email: contact.email,
    first_name: contact.firstName,
    last_name: contact.lastName,
    created_at: timestamp(contact.createdAt),
    unsubscribed: contact.unsubscribed,
  };
}

export function contactResponse({ contact, properties }: ContactInFull): ContactResponse {
  return {
    object: 'contact',
    ...contactSummary(contact),
    properties,
    updated_at: timestamp(contact.updatedAt),
    unsubscribed_at: timestampOrNull(contact.unsubscribedAt),
    bounced_at: timestampOrNull(contact.bouncedAt),
    complained_at: timestampOrNull(contact.complainedAt),
  };
}

export function contactSegment({ id, name, createdAt }: SegmentOfContact): ContactSegmentResponse {
  return { id, name, created_at: timestamp(createdAt) };
}

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

export function contactChange({ id, type, source, actor, changes, createdAt }: ContactChange): ContactChangeResponse {
  return {
    id,
    type,
    source,
    actor: { kind: actor.kind, id: 'id' in actor ? actor.id : null },
    changes: Object.entries(changes).map(([field, { from, to }]) => ({ field, from, to })),
    created_at: timestamp(createdAt),
  };
}

function timestampOrNull(moment: Date | null): string | null {
  return moment === null ? null : timestamp(moment);
}
