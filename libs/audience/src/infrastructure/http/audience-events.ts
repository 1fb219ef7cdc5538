import { allRequired, momentOf, textOf, textOrNull } from '#http/openapi';
import type { Schema, WebhookDescription } from '#http/openapi';
import { contactId, segmentId, topicId } from './example-ids.js';

const uuid = { format: 'uuid' };
const moments = { created_at: momentOf('When it was created.'), updated_at: momentOf('When it last changed.') };
const created_at = '2026-11-30T20:41:12.300Z';
const previous: Schema = {
  type: 'object',
  additionalProperties: true,
  description: 'The former values of the fields that changed.',
};

const contactFields: Readonly<Record<string, Schema>> = {
  id: textOf('Id of the contact.', uuid),
  audience_id: textOrNull('The first of its segments, or null.', uuid),
  segment_ids: { type: 'array', items: { type: 'string', ...uuid }, description: 'Segments to which it was added.' },
  ...moments,
  email: textOf('Its address.'),
  first_name: textOrNull('First name, or null.'),
  last_name: textOrNull('Last name, or null.'),
  unsubscribed: { type: 'boolean', description: 'Whether it gets no broadcasts at all.' },
  properties: { type: 'object', additionalProperties: true, description: 'Values of its properties.' },
};

const contact = {
  id: contactId,
  audience_id: segmentId,
  segment_ids: [segmentId],
  created_at,
  updated_at: created_at,
  email: 'ada@customer.example',
  first_name: 'Ada',
  last_name: 'Lovelace',
  unsubscribed: false,
  properties: { plan: 'pro' },
};

function ofContact(summary: string, description: string): WebhookDescription {
  return { summary, description, data: allRequired(contactFields), example: contact };
}

const choices = (description: string, choice: readonly unknown[]): Schema => ({
  type: 'array',
  description,
  items: allRequired({
    id: textOf('Id of the topic.', uuid),
    subscription: { enum: choice, description: 'The choice; null if there was none.' },
  }),
});

export const contactEvents: Readonly<Record<string, WebhookDescription>> = {
  'contact.created': ofContact('A contact was created', 'By the API, in the dashboard, or by an import.'),
  'contact.updated': {
    ...ofContact('A contact changed', 'Its names, address, properties, segments or `unsubscribed`.'),
    data: allRequired({ ...contactFields, previous_attributes: previous }),
    example: { ...contact, previous_attributes: { first_name: null } },
  },
  'contact.deleted': ofContact('A contact was deleted', 'With the values that it had.'),
  'contact.topics.updated': {
    summary: 'A contact chose topics',
    description: 'Only the topics whose choice changed.',
    data: allRequired({
      id: contactFields.id as Schema,
      email: contactFields.email as Schema,
      topics: choices('The new choices.', ['opt_in', 'opt_out']),
      previous_attributes: {
        description: 'The former choices.',
        ...allRequired({ topics: choices('The former choices.', ['opt_in', 'opt_out', null]) }),
      },
    }),
    example: {
      id: contactId,
      email: 'ada@customer.example',
      topics: [{ id: topicId, subscription: 'opt_out' }],
      previous_attributes: { topics: [{ id: topicId, subscription: null }] },
    },
  },
};

const topicFields: Readonly<Record<string, Schema>> = {
  id: textOf('Id of the topic.', uuid),
  name: textOf('Its name.'),
  description: textOrNull('What it is about, or null.'),
  default_subscription: { enum: ['opt_in', 'opt_out'], description: 'What holds for contacts that made no choice.' },
  deleted: { type: 'boolean', description: 'Whether it is deleted.' },
  ...moments,
};

const topic = {
  id: topicId,
  name: 'News',
  description: 'Once a month.',
  default_subscription: 'opt_in',
  deleted: false,
  created_at,
  updated_at: created_at,
};

export const topicEvents: Readonly<Record<string, WebhookDescription>> = {
  'topic.created': {
    summary: 'A topic was created',
    description: 'With its fields.',
    data: allRequired(topicFields),
    example: topic,
  },
  'topic.updated': {
    summary: 'A topic changed',
    description: 'With its fields and the former values.',
    data: allRequired({ ...topicFields, previous_attributes: previous }),
    example: { ...topic, previous_attributes: { name: 'Newsletter' } },
  },
  'topic.deleted': {
    summary: 'A topic was deleted',
    description: 'With the values that it had.',
    data: allRequired(topicFields),
    example: { ...topic, deleted: true },
  },
};
