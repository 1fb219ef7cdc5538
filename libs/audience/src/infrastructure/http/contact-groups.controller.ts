import { Audited, CurrentPrincipal, PermissionsOf, TeamId } from '#identity';
import type { Principal } from '#identity';
import { parsePageRequest, parseWholeListRequest } from '#kernel';
import { listResponse } from '#http/server';
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
import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
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
@PathParameter('idOrEmail', 'Id of the contact, or its address in any case.', {}, 'ada@customer.example', 'Contact')
@PathId('segmentId', 'Id of the segment.', segmentId, segmentThing)
@PermissionsOf('audience')
export class ContactGroupsController {
  constructor(
    private readonly members: ContactSegments,
    private readonly subscriptions: ContactTopics,
    private readonly contacts: ReadContacts,
  ) {}

  @Get('segments')
  @Operation('List the segments of a contact', 'The segments to which a contact was added, newest segment first.')
  @ResponsesWholeList(ContactSegmentResponse, 'The segments.')
  async listContactSegments(
    @TeamId() teamId: string,
    @Param('idOrEmail') idOrEmail: string,
    @Query() query: PageQuery,
  ) {
    const page = await this.members.segmentsOf(teamId, idOrEmail, parseWholeListRequest(query));
    return listResponse(page, contactSegment);
  }

  @Post('segments/:segmentId')
  @Operation('Add a contact to a segment', 'Adds a contact to a segment without a filter. A member stays one.')
  @Responses(ContactSegmentReferenceResponse, 'The contact is a member.')
  @Refuses(membershipErrors)
  @Audited(inHistoryNotAudited)
  async addContactToSegment(
    @CurrentPrincipal() principal: Principal,
    @Param('idOrEmail') idOrEmail: string,
    @Param('segmentId') segmentId: string,
  ) {
    return contactSegmentReference(await this.members.add(principal, idOrEmail, segmentId), segmentId);
  }

  @Delete('segments/:segmentId')
  @Operation('Remove a contact from a segment', 'Ends a membership. Nothing changes if the contact is no member.')
  @Responses(RemovedContactSegmentResponse, 'The contact is no member.')
  @Refuses(membershipErrors)
  @Audited(inHistoryNotAudited)
  async removeContactFromSegment(
    @CurrentPrincipal() principal: Principal,
    @Param('idOrEmail') idOrEmail: string,
    @Param('segmentId') segmentId: string,
  ): Promise<RemovedContactSegmentResponse> {
    const contactId = await this.members.remove(principal, idOrEmail, segmentId);
    return { ...contactSegmentReference(contactId, segmentId), deleted: true };
  }

  @Get('topics')
  @Operation(
    'List the topics of a contact',
    'All topics of your team, newest first, and whether this contact gets their mail.',
  )
  @ResponsesList(ContactTopicResponse, 'A page of topics.')
  async listContactTopics(@TeamId() teamId: string, @Param('idOrEmail') idOrEmail: string, @Query() query: PageQuery) {
    const page = await this.subscriptions.topicsOf(teamId, idOrEmail, parsePageRequest(query));
    return listResponse(page, contactTopic);
  }

  @Patch('topics')
  @Operation('Update the topics of a contact', 'Sets which topics a contact wants. All choices are written, or none.')
  @Takes(UpdateContactTopicsRequest, 'The choices.')
  @Responses(ContactTopicsReferenceResponse, 'The choices are written.')
  @Refuses(() => [() => decodeContactTopics([{ id: topicId, subscription: 'yes' }])])
  @Audited(inHistoryNotAudited)
  async updateContactTopics(
    @CurrentPrincipal() principal: Principal,
    @Param('idOrEmail') idOrEmail: string,
    @Body() body: unknown,
  ) {
    const choices = decodeContactTopics(body);
    return contactTopicsReference(await this.subscriptions.set(principal, idOrEmail, choices), choices);
  }

  @Get('history')
  @Operation(
    'List the changes of a contact',
    'What changed of a contact, when, by whom and by which way, newest first, as long as history is kept. ' +
      'Of a deleted contact only its deletion remains, under its id.',
  )
  @ResponsesList(ContactChangeResponse, 'A page of changes.')
  async listContactHistory(@TeamId() teamId: string, @Param('idOrEmail') idOrEmail: string, @Query() query: PageQuery) {
    return listResponse(await this.contacts.history(teamId, idOrEmail, parsePageRequest(query)), contactChange);
  }
}
