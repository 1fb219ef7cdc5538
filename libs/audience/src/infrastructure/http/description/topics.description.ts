import { MissingFieldError, NotFoundError } from '#kernel';
import { idParameter, invalidId, pageErrors, pageParameters, thrownBy } from '#platform/api-description';
import type { ApiDescription } from '#platform/api-description';
import { maxTopics } from '../../../domain/topic.js';
import { decodeNewTopic, decodeTopicPatch } from '../topic.request.js';
import { topicId } from './audience-examples.js';

const id = idParameter('Id of the topic.', topicId);
const summary = {
  id: topicId,
  name: 'Product news',
  description: 'What is new, once a month.',
  default_subscription: 'opt_in',
  visibility: 'public',
  created_at: '2026-11-30 20:41:12.3+00',
};
const given = {
  name: 'Name of the topic.',
  description: 'What the topic is about.',
  visibility:
    'Whether the topic is on the preference page of every contact (`public`), or only of those who opted in (`private`).',
};
const fields = {
  id: 'Id of the topic.',
  ...given,
  description: 'What the topic is about; null where that is not said.',
  default_subscription: 'What holds for contacts that made no choice. It never changes.',
  created_at: 'When it was created.',
};
const reference = { object: 'Always `topic`.', id: 'Id of the topic.' };

export const apiDescription: ApiDescription = {
  tag: 'Topics',
  tagDescription: `Kinds of mail to which contacts subscribe. A team has at most ${maxTopics} topics.`,
  schemas: {
    CreateTopicRequest: {
      description: 'A topic.',
      properties: { ...given, default_subscription: fields.default_subscription },
    },
    UpdateTopicRequest: {
      description: 'The fields to change. Others stay as they are; `null` clears the description.',
      properties: given,
    },
    TopicReferenceResponse: { description: 'The topic that was written.', properties: reference },
    RemovedTopicResponse: {
      description: 'The topic that was deleted.',
      properties: { ...reference, deleted: 'Always true.' },
    },
    TopicSummaryResponse: { description: 'A topic in a list.', properties: fields },
    TopicResponse: { description: 'A topic.', properties: { object: 'Always `topic`.', ...fields } },
  },
  operations: {
    'POST /topics': {
      operationId: 'createTopic',
      summary: 'Create a topic',
      description: 'Creates a topic.',
      request: {
        description: 'The topic.',
        examples: {
          topic: {
            summary: 'A topic that everyone gets until they opt out',
            value: { name: 'Product news', default_subscription: 'opt_in', visibility: 'public' },
          },
        },
      },
      responses: { 201: { description: 'The topic is created.', example: { object: 'topic', id: topicId } } },
      errors: [
        new MissingFieldError('name'),
        new MissingFieldError('default_subscription'),
        thrownBy(() => decodeNewTopic({ name: 'News', default_subscription: 'maybe' })),
      ],
    },
    'GET /topics': {
      operationId: 'listTopics',
      summary: 'List topics',
      description: 'The topics of your team, newest first, in pages.',
      parameters: pageParameters,
      responses: {
        200: { description: 'A page of topics.', example: { object: 'list', has_more: false, data: [summary] } },
      },
      errors: pageErrors,
    },
    'GET /topics/{id}': {
      operationId: 'getTopic',
      summary: 'Get a topic',
      description: 'One topic.',
      parameters: { id },
      responses: { 200: { description: 'The topic.', example: { object: 'topic', ...summary } } },
      errors: [invalidId('id'), new NotFoundError('Topic')],
    },
    'PATCH /topics/{id}': {
      operationId: 'updateTopic',
      summary: 'Update a topic',
      description: 'Sets the given fields of a topic.',
      parameters: { id },
      request: {
        description: 'The fields to change.',
        examples: { name: { summary: 'Another name', value: { name: 'Monthly news' } } },
      },
      responses: { 200: { description: 'The topic is updated.', example: { object: 'topic', id: topicId } } },
      errors: [invalidId('id'), new NotFoundError('Topic'), thrownBy(() => decodeTopicPatch({ visibility: 'hidden' }))],
    },
    'DELETE /topics/{id}': {
      operationId: 'deleteTopic',
      summary: 'Delete a topic',
      description: 'Deletes a topic with the choices of its contacts.',
      parameters: { id },
      responses: {
        200: { description: 'The topic is deleted.', example: { object: 'topic', id: topicId, deleted: true } },
      },
      errors: [invalidId('id'), new NotFoundError('Topic')],
    },
  },
};
