import { Audited, CurrentPrincipal, PrincipalGuard, Requires } from '#identity';
import type { Principal } from '#identity';
import { parsePageRequest, parseWholeListRequest } from '#kernel';
import { idFromPath, listResponse, ListResponse } from '#platform/http';
import { DescribedBy, Responses, ResponsesList, Takes } from '#platform/openapi';
import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query, UseGuards } from '@nestjs/common';
import { ManageMembers } from '../../application/manage-members.use-case.js';
import { ManageSubscriptions } from '../../application/manage-subscriptions.use-case.js';
import { ReadContacts } from '../../application/read-contacts.query.js';
import { decodeContactTopics, UpdateContactTopicsRequest } from './contact.request.js';
import {
  contactChange,
  ContactChangeResponse,
  contactSegment,
  contactSegmentReference,
  ContactSegmentReferenceResponse,
  ContactSegmentResponse,
  contactTopic,
  ContactTopicResponse,
  contactTopicsReference,
  ContactTopicsReferenceResponse,
  RemovedContactSegmentResponse,
} from './contact.response.js';
import { recordsItsChanges } from './records-its-changes.js';

type PageQuery = { readonly limit?: unknown; readonly after?: unknown; readonly before?: unknown };

/** The segments, the topics and the history of a contact. */
@Controller('contacts/:idOrEmail')
@UseGuards(PrincipalGuard)
@DescribedBy(() => import('./description/contact-groups.description.js'))
export class ContactGroupsController {
  constructor(
    private readonly members: ManageMembers,
    private readonly subscriptions: ManageSubscriptions,
    private readonly contacts: ReadContacts,
  ) {}

  @Get('segments')
  @Requires('audience:read')
  @ResponsesList(ContactSegmentResponse)
  async segments(
    @CurrentPrincipal() { teamId }: Principal,
    @Param('idOrEmail') idOrEmail: string,
    @Query() query: PageQuery,
  ): Promise<ListResponse<ContactSegmentResponse>> {
    const page = await this.members.segmentsOf(teamId, idOrEmail, parseWholeListRequest(query));
    return listResponse(page, contactSegment);
  }

  @Post('segments/:segmentId')
  @Audited(recordsItsChanges)
  @Requires('audience:write')
  @HttpCode(200)
  @Responses(ContactSegmentReferenceResponse)
  async addToSegment(
    @CurrentPrincipal() principal: Principal,
    @Param('idOrEmail') idOrEmail: string,
    @Param('segmentId') id: string,
  ): Promise<ContactSegmentReferenceResponse> {
    const segmentId = idFromPath('segmentId', id);
    return contactSegmentReference(await this.members.add(principal, idOrEmail, segmentId), segmentId);
  }

  @Delete('segments/:segmentId')
  @Audited(recordsItsChanges)
  @Requires('audience:write')
  @Responses(RemovedContactSegmentResponse)
  async removeFromSegment(
    @CurrentPrincipal() principal: Principal,
    @Param('idOrEmail') idOrEmail: string,
    @Param('segmentId') id: string,
  ): Promise<RemovedContactSegmentResponse> {
    const segmentId = idFromPath('segmentId', id);
    const contactId = await this.members.remove(principal, idOrEmail, segmentId);
    return { ...contactSegmentReference(contactId, segmentId), deleted: true };
  }

  @Get('topics')
  @Requires('audience:read')
  @ResponsesList(ContactTopicResponse)
  async topics(
    @CurrentPrincipal() { teamId }: Principal,
    @Param('idOrEmail') idOrEmail: string,
    @Query() query: PageQuery,
  ): Promise<ListResponse<ContactTopicResponse>> {
    const page = await this.subscriptions.topicsOf(teamId, idOrEmail, parsePageRequest(query));
    return listResponse(page, contactTopic);
  }

  @Patch('topics')
  @Audited(recordsItsChanges)
  @Requires('audience:write')
  @Takes(UpdateContactTopicsRequest)
  @Responses(ContactTopicsReferenceResponse)
  async updateTopics(
    @CurrentPrincipal() principal: Principal,
    @Param('idOrEmail') idOrEmail: string,
    @Body() body: unknown,
  ): Promise<ContactTopicsReferenceResponse> {
    const choices = decodeContactTopics(body);
    return contactTopicsReference(await this.subscriptions.set(principal, idOrEmail, choices), choices);
  }

  @Get('history')
  @Requires('audience:read')
  @ResponsesList(ContactChangeResponse)
  async history(
    @CurrentPrincipal() { teamId }: Principal,
    @Param('idOrEmail') idOrEmail: string,
    @Query() query: PageQuery,
  ): Promise<ListResponse<ContactChangeResponse>> {
    return listResponse(await this.contacts.history(teamId, idOrEmail, parsePageRequest(query)), contactChange);
  }
}
