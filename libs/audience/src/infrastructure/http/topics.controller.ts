import { CurrentPrincipal, PrincipalGuard, Requires } from '#identity';
import type { Principal } from '#identity';
import { parsePageRequest } from '#kernel';
import { idFromPath, listResponse, ListResponse } from '#platform/http';
import { DescribedBy, Responses, ResponsesList, Takes } from '#platform/openapi';
import { Body, Controller, Delete, Get, Param, Patch, Post, Query, UseGuards } from '@nestjs/common';
import { ManageTopics } from '../../application/manage-topics.use-case.js';
import { CreateTopicRequest, decodeNewTopic, decodeTopicPatch, UpdateTopicRequest } from './topic.request.js';
import {
  RemovedTopicResponse,
  TopicReferenceResponse,
  TopicResponse,
  topicSummary,
  TopicSummaryResponse,
} from './topic.response.js';

@Controller('topics')
@UseGuards(PrincipalGuard)
@DescribedBy(() => import('./description/topics.description.js'))
export class TopicsController {
  constructor(private readonly topics: ManageTopics) {}

  @Post()
  @Requires('audience:write')
  @Takes(CreateTopicRequest)
  @Responses(TopicReferenceResponse, 201)
  async create(@CurrentPrincipal() principal: Principal, @Body() body: unknown): Promise<TopicReferenceResponse> {
    return { object: 'topic', id: await this.topics.create(principal, decodeNewTopic(body)) };
  }

  @Get()
  @Requires('audience:read')
  @ResponsesList(TopicSummaryResponse)
  async list(
    @CurrentPrincipal() { teamId }: Principal,
    @Query() query: { readonly limit?: unknown; readonly after?: unknown; readonly before?: unknown },
  ): Promise<ListResponse<TopicSummaryResponse>> {
    return listResponse(await this.topics.list(teamId, parsePageRequest(query)), topicSummary);
  }

  @Get(':id')
  @Requires('audience:read')
  @Responses(TopicResponse)
  async get(@CurrentPrincipal() { teamId }: Principal, @Param('id') id: string): Promise<TopicResponse> {
    return { object: 'topic', ...topicSummary(await this.topics.find(teamId, idFromPath('id', id))) };
  }

  @Patch(':id')
  @Requires('audience:write')
  @Takes(UpdateTopicRequest)
  @Responses(TopicReferenceResponse)
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
  @Requires('audience:write')
  @Responses(RemovedTopicResponse)
  async remove(@CurrentPrincipal() principal: Principal, @Param('id') id: string): Promise<RemovedTopicResponse> {
    const topicId = idFromPath('id', id);
    await this.topics.remove(principal, topicId);
    return { object: 'topic', id: topicId, deleted: true };
  }
}
