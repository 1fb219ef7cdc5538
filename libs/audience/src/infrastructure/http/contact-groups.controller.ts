import { Audited, CurrentPrincipal, PrincipalGuard, Requires } from '#identity';
import type { Principal } from '#identity';
import { NotFoundError, parsePageRequest, parseWholeListRequest } from '#kernel';
import { idFromPath, listResponse, ListResponse } from '#http/server';
import {
  Describes,
  Operation,
  PathId,
  PathParameter,
  Refuses,
  Responses,
  ResponsesList,
  ResponsesWholeList,
  Takes,
} from '#http/openapi';
import type { DescribedRefusal } from '#http/openapi';
import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query, UseGuards } from '@nestjs/common';
import { FilteredSegmentError, segmentThing } from '../../domain/segment.js';
import { ContactSegments } from '../../application/contact-segments.use-case.js';
import { ContactTopics } from '../../application/contact-topics.use-case.js';
import { ReadContacts } from '../../application/read-contacts.query.js';
import { segmentId, topicId } from './example-ids.js';
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
import { inHistoryNotAudited } from './in-history-not-audited.js';

type PageQuery = { readonly limit?: unknown; readonly after?: unknown; readonly before?: unknown };

const membershipErrors = (): readonly DescribedRefusal[] => [
  new NotFoundError('Contact'),
  new NotFoundError(segmentThing),
  new FilteredSegmentError({
    id: segmentId,
    teamId: '',
    name: 'Active customers',
    filter: {},
    createdAt: new Date(0),
    updatedAt: new Date(0),
  }),
];

/** The segments, the topics and the history of a contact. */
@Controller('contacts/:idOrEmail')
@Describes('Contacts')
@PathParameter('idOrEmail', 'Id of the contact, or its address in any case.', {}, 'ada@customer.example')
@PathId('segmentId', 'Id of the segment.', segmentId)
@UseGuards(PrincipalGuard)
export class ContactGroupsController {
  constructor(
    private readonly members: ContactSegments,
    private readonly subscriptions: ContactTopics,
    private readonly contacts: ReadContacts,
  ) {}

  @Get('segments')
  @Operation(
    'listContactSegments',
    'List the segments of a contact',
    'The segments to which a contact was added, newest segment first.',
  )
  @ResponsesWholeList(ContactSegmentResponse, 'The segments.')
  @Refuses(() => [new NotFoundError('Contact')])
  @Requires('audience:read')
  async segments(
    @CurrentPrincipal() { teamId }: Principal,
    @Param('idOrEmail') idOrEmail: string,
    @Query() query: PageQuery,
  ): Promise<ListResponse<ContactSegmentResponse>> {
    const page = await this.members.segmentsOf(teamId, idOrEmail, parseWholeListRequest(query));
    return listResponse(page, contactSegment);
  }

  @Post('segments/:segmentId')
  @Operation(
    'addContactToSegment',
    'Add a contact to a segment',
    'Adds a contact to a segment without a filter. A member stays one.',
  )
  @Responses(ContactSegmentReferenceResponse, 'The contact is a member.')
  @Refuses(membershipErrors)
  @Audited(inHistoryNotAudited)
  @Requires('audience:write')
  @HttpCode(200)
  async addToSegment(
    @CurrentPrincipal() principal: Principal,
    @Param('idOrEmail') idOrEmail: string,
    @Param('segmentId') id: string,
  ): Promise<ContactSegmentReferenceResponse> {
    const segmentId = idFromPath('segmentId', id);
    return contactSegmentReference(await this.members.add(principal, idOrEmail, segmentId), segmentId);
  }

  @Delete('segments/:segmentId')
  @Operation(
    'removeContactFromSegment',
    'Remove a contact from a segment',
    'Ends a membership. Nothing changes if the contact is no member.',
  )
  @Responses(RemovedContactSegmentResponse, 'The contact is no member.')
  @Refuses(membershipErrors)
  @Audited(inHistoryNotAudited)
  @Requires('audience:write')
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
  @Operation(
    'listContactTopics',
    'List the topics of a contact',
    'All topics of your team, newest first, and whether this contact gets their mail.',
  )
  @ResponsesList(ContactTopicResponse, 'A page of topics.')
  @Refuses(() => [new NotFoundError('Contact')])
  @Requires('audience:read')
  async topics(
    @CurrentPrincipal() { teamId }: Principal,
    @Param('idOrEmail') idOrEmail: string,
    @Query() query: PageQuery,
  ): Promise<ListResponse<ContactTopicResponse>> {
    const page = await this.subscriptions.topicsOf(teamId, idOrEmail, parsePageRequest(query));
    return listResponse(page, contactTopic);
  }

  @Patch('topics')
  @Operation(
    'updateContactTopics',
    'Update the topics of a contact',
    'Sets which topics a contact wants. All choices are written, or none.',
  )
  @Takes(UpdateContactTopicsRequest, 'The choices.')
  @Responses(ContactTopicsReferenceResponse, 'The choices are written.')
  @Refuses(() => [new NotFoundError('Contact'), () => decodeContactTopics([{ id: topicId, subscription: 'yes' }])])
  @Audited(inHistoryNotAudited)
  @Requires('audience:write')
  async updateTopics(
    @CurrentPrincipal() principal: Principal,
    @Param('idOrEmail') idOrEmail: string,
    @Body() body: unknown,
  ): Promise<ContactTopicsReferenceResponse> {
    const choices = decodeContactTopics(body);
    return contactTopicsReference(await this.subscriptions.set(principal, idOrEmail, choices), choices);
  }

  @Get('history')
  @Operation(
    'listContactHistory',
    'List the changes of a contact',
    'What changed of a contact, when, by whom and by which way, newest first, as long as history is kept. ' +
      'Of a deleted contact only its deletion remains, under its id.',
  )
  @ResponsesList(ContactChangeResponse, 'A page of changes.')
  @Refuses(() => [new NotFoundError('Contact')])
  @Requires('audience:read')
  async history(
    @CurrentPrincipal() { teamId }: Principal,
    @Param('idOrEmail') idOrEmail: string,
    @Query() query: PageQuery,
  ): Promise<ListResponse<ContactChangeResponse>> {
    return listResponse(await this.contacts.history(teamId, idOrEmail, parsePageRequest(query)), contactChange);
  }
}
