import { CurrentPrincipal, PrincipalGuard, Requires } from '#identity';
import type { Principal } from '#identity';
import { NotFoundError, parsePageRequest } from '#kernel';
import { idFromPath, listResponse, ListResponse } from '#http/server';
import { Describes, Operation, PathId, Refuses, Responses, ResponsesList, Takes } from '#http/openapi';
import { Body, Controller, Delete, Get, Param, Patch, Post, Query, UseGuards } from '@nestjs/common';
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
@PathId('id', 'Id of the topic.', topicId)
@UseGuards(PrincipalGuard)
export class TopicsController {
  constructor(private readonly topics: Topics) {}

  @Post()
  @Operation('createTopic', 'Create a topic', 'Creates a topic.')
  @Takes(CreateTopicRequest, 'The topic.')
  @Responses(TopicReferenceResponse, 'The topic is created.', { status: 201 })
  @Refuses(() => [() => decodeNewTopic({ name: 'News', default_subscription: 'maybe' })])
  @Requires('audience:write')
  async create(@CurrentPrincipal() principal: Principal, @Body() body: unknown): Promise<TopicReferenceResponse> {
    return { object: 'topic', id: await this.topics.create(principal, decodeNewTopic(body)) };
  }

  @Get()
  @Operation('listTopics', 'List topics', 'The topics of your team, newest first, in pages.')
  @ResponsesList(TopicSummaryResponse, 'A page of topics.')
  @Requires('audience:read')
  async list(
    @CurrentPrincipal() { teamId }: Principal,
    @Query() query: { readonly limit?: unknown; readonly after?: unknown; readonly before?: unknown },
  ): Promise<ListResponse<TopicSummaryResponse>> {
    return listResponse(await this.topics.list(teamId, parsePageRequest(query)), topicSummary);
  }

  @Get(':id')
  @Operation('getTopic', 'Get a topic', 'One topic.')
  @Responses(TopicResponse, 'The topic.')
  @Refuses(() => [new NotFoundError('Topic')])
  @Requires('audience:read')
  async get(@CurrentPrincipal() { teamId }: Principal, @Param('id') id: string): Promise<TopicResponse> {
    return { object: 'topic', ...topicSummary(await this.topics.find(teamId, idFromPath('id', id))) };
  }

  @Patch(':id')
  @Operation('updateTopic', 'Update a topic', 'Sets the given fields of a topic.')
  @Takes(UpdateTopicRequest, 'The fields to change.')
  @Responses(TopicReferenceResponse, 'The topic is updated.')
  @Refuses(() => [new NotFoundError('Topic'), () => decodeTopicPatch({ visibility: 'hidden' })])
  @Requires('audience:write')
  async update(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Body() body: unknown,
  ): Promise<TopicReferenceResponse> {
    const topicId = idFromPath('id', id);
    await this.topics.update(principal, topicId, decodeTopicPatch(body));
    return { object: 'topic', id: topicId };
  }

  @Delete(':id')
  @Operation('deleteTopic', 'Delete a topic', 'Deletes a topic with the choices of its contacts.')
  @Responses(RemovedTopicResponse, 'The topic is deleted.')
  @Refuses(() => [new NotFoundError('Topic')])
  @Requires('audience:write')
  async remove(@CurrentPrincipal() principal: Principal, @Param('id') id: string): Promise<RemovedTopicResponse> {
    const topicId = idFromPath('id', id);
    await this.topics.remove(principal, topicId);
    return { object: 'topic', id: topicId, deleted: true };
  }
}
