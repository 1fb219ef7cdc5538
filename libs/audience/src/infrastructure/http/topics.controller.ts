import { CurrentPrincipal, PermissionsOf, TeamId } from '#identity';
import type { Principal } from '#identity';
import { parsePageRequest } from '#kernel';
import { listResponse, toResponse } from '#http/server';
import { Describes, Operation, PathId, Refuses, Responses, ResponsesList, Takes } from '#http/openapi';
import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { maxTopics } from '../../domain/topic.js';
import { Topics } from '../../application/topics.use-case.js';
import { topicId } from './example-ids.js';
import { topicEvents } from './audience-events.js';
import { CreateTopicRequest, decodeNewTopic, decodeTopicPatch, UpdateTopicRequest } from './topic.request.js';
import {
  RemovedTopicResponse,
  TopicReferenceResponse,
  TopicResponse,
  topicSummary,
  TopicSummaryResponse,
} from './topic.response.js';

@Controller('topics')
@Describes('Topics', `Kinds of mail to which contacts subscribe. A team has at most ${maxTopics} topics.`, topicEvents)
@PathId('id', 'Id of the topic.', topicId, 'Topic')
@PermissionsOf('audience')
export class TopicsController {
  constructor(private readonly topics: Topics) {}

  @Post()
  @Operation('Create a topic', 'Creates a topic.')
  @Takes(CreateTopicRequest, 'The topic.')
  @Responses(TopicReferenceResponse, 'The topic is created.', { status: 201 })
  @Refuses(() => [() => decodeNewTopic({ name: 'News', default_subscription: 'maybe' })])
  async createTopic(@CurrentPrincipal() principal: Principal, @Body() body: unknown) {
    return toResponse(TopicReferenceResponse, { id: await this.topics.create(principal, decodeNewTopic(body)) });
  }

  @Get()
  @Operation('List topics', 'The topics of your team, newest first, in pages.')
  @ResponsesList(TopicSummaryResponse, 'A page of topics.')
  async listTopics(
    @TeamId() teamId: string,
    @Query() query: { readonly limit?: unknown; readonly after?: unknown; readonly before?: unknown },
  ) {
    return listResponse(await this.topics.list(teamId, parsePageRequest(query)), topicSummary);
  }

  @Get(':id')
  @Operation('Get a topic', 'One topic.')
  @Responses(TopicResponse, 'The topic.')
  async getTopic(@TeamId() teamId: string, @Param('id') id: string) {
    return toResponse(TopicResponse, await this.topics.find(teamId, id));
  }

  @Patch(':id')
  @Operation('Update a topic', 'Sets the given fields of a topic.')
  @Takes(UpdateTopicRequest, 'The fields to change.')
  @Responses(TopicReferenceResponse, 'The topic is updated.')
  @Refuses(() => [() => decodeTopicPatch({ visibility: 'hidden' })])
  async updateTopic(@CurrentPrincipal() principal: Principal, @Param('id') topicId: string, @Body() body: unknown) {
    await this.topics.update(principal, topicId, decodeTopicPatch(body));
    return toResponse(TopicReferenceResponse, { id: topicId });
  }

  @Delete(':id')
  @Operation('Delete a topic', 'Deletes a topic with the choices of its contacts.')
  @Responses(RemovedTopicResponse, 'The topic is deleted.')
  async deleteTopic(@CurrentPrincipal() principal: Principal, @Param('id') topicId: string) {
    await this.topics.remove(principal, topicId);
    return toResponse(RemovedTopicResponse, { id: topicId });
  }
}
