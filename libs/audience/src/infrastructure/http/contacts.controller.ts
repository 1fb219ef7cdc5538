import { Audited, CurrentPrincipal, PrincipalGuard, Requires, WritesInGroups } from '#identity';
import type { Principal } from '#identity';
import { NotFoundError, Page, PageRequest, parseWholeListRequest } from '#kernel';
import { listResponse, ListResponse } from '#http/server';
import {
  Describes,
  Operation,
  PathParameter,
  QueryParameter,
  Refuses,
  Responses,
  ResponsesWholeList,
  Takes,
} from '#http/openapi';
import { Body, Controller, Delete, Get, Param, Patch, Post, Query, UseGuards } from '@nestjs/common';
import { checkValue, checkValues } from '../../domain/property.js';
import { segmentThing } from '../../domain/segment.js';
import { keyOf, ReadContacts } from '../../application/read-contacts.query.js';
import { RemoveContact } from '../../application/remove-contact.use-case.js';
import { UpdateContact } from '../../application/update-contact.use-case.js';
import { UpsertContact } from '../../application/upsert-contact.use-case.js';
import { Contact } from '../../domain/contact.js';
import { contactEvents } from './audience-events.js';
import { contactId, segmentId } from './example-ids.js';
import { textFrom } from './query-text.js';
import { CreateContactRequest, decodeContactPatch, decodeNewContact, UpdateContactRequest } from './contact.request.js';
import {
  contactReference,
  ContactReferenceResponse,
  contactResponse,
  ContactResponse,
  contactSummary,
  ContactSummaryResponse,
  removedContact,
  RemovedContactResponse,
} from './contact.response.js';
import { inHistoryNotAudited } from './in-history-not-audited.js';

interface ListQuery {
  readonly limit?: unknown;
  readonly after?: unknown;
  readonly before?: unknown;
  readonly segment_id?: unknown;
  readonly search?: unknown;
}

@Controller('contacts')
@Describes(
  'Contacts',
  'The people to whom your team writes. Each address is one contact, whatever its case. A contact has ' +
    'names, values of the contact properties that you define, segments that it belongs to, and topics ' +
    'that it chose.',
  contactEvents,
)
@PathParameter('idOrEmail', 'Id of the contact, or its address in any case.', {}, 'ada@customer.example')
@UseGuards(PrincipalGuard)
export class ContactsController {
  constructor(
    private readonly upsertContact: UpsertContact,
    private readonly updateContact: UpdateContact,
    private readonly removeContact: RemoveContact,
    private readonly contacts: ReadContacts,
  ) {}

  @Post()
  @Operation(
    'createContact',
    'Add or update a contact',
    'Adds a contact. Where the address is known, the contact keeps its id, the given fields are set, and ' +
      'the segments and topics are added to those that it has.',
  )
  @Takes(CreateContactRequest, 'The contact.')
  @Responses(ContactReferenceResponse, 'The contact is stored.', { status: 201 })
  @Refuses(() => [
    () => decodeNewContact({ email: 'ada' }),
    () => decodeNewContact({ email: 'a@b.example', segments: ['x'] }),
    () => checkValues({ plan: 'pro' }, {}),
    () => checkValue('seats', 'number', 'twelve'),
  ])
  @Audited(inHistoryNotAudited)
  @Requires('audience:write')
  @WritesInGroups(true)
  async create(@CurrentPrincipal() principal: Principal, @Body() body: unknown): Promise<ContactReferenceResponse> {
    return contactReference((await this.upsertContact.upsert(principal, decodeNewContact(body))).id);
  }

  @Get()
  @Operation(
    'listContacts',
    'List contacts',
    'The contacts of your team, newest first: all, those of a segment, or those that a search finds.',
  )
  @QueryParameter('segment_id', 'Only members of this segment.', { format: 'uuid' }, segmentId)
  @QueryParameter(
    'search',
    'Only contacts whose address, first name or last name begins with this text, in any case. Of two ' +
      'words, the first may be the first name, and the last name begins with the second.',
    { maxLength: 320 },
    'ada',
  )
  @ResponsesWholeList(ContactSummaryResponse, 'The contacts.')
  @Refuses(() => [new NotFoundError(segmentThing)])
  @Requires('audience:read')
  async list(
    @CurrentPrincipal() { teamId }: Principal,
    @Query() query: ListQuery,
  ): Promise<ListResponse<ContactSummaryResponse>> {
    const page = parseWholeListRequest(query);
    return listResponse(await this.page(teamId, page, query), contactSummary);
  }

  @Get(':idOrEmail')
  @Operation('getContact', 'Get a contact', 'One contact, with its properties.')
  @Responses(ContactResponse, 'The contact.')
  @Refuses(() => [new NotFoundError('Contact')])
  @Requires('audience:read')
  async get(
    @CurrentPrincipal() { teamId }: Principal,
    @Param('idOrEmail') idOrEmail: string,
  ): Promise<ContactResponse> {
    return contactResponse(await this.contacts.find(teamId, idOrEmail));
  }

  @Patch(':idOrEmail')
  @Operation('updateContact', 'Update a contact', 'Sets the given fields of a contact.')
  @Takes(UpdateContactRequest, 'The fields to change.', {
    examples: {
      unsubscribe: { summary: 'No more broadcasts', value: { unsubscribed: true } },
      values: { summary: 'A value, and no last name', value: { last_name: null, properties: { plan: 'free' } } },
    },
  })
  @Responses(ContactReferenceResponse, 'The contact is updated.')
  @Refuses(() => [
    new NotFoundError('Contact'),
    () => decodeContactPatch({ unsubscribed: 'yes' }),
    () => checkValues({ plan: 'pro' }, {}),
    () => checkValue('seats', 'number', 'twelve'),
  ])
  @Audited(inHistoryNotAudited)
  @Requires('audience:write')
  async update(
    @CurrentPrincipal() principal: Principal,
    @Param('idOrEmail') idOrEmail: string,
    @Body() body: unknown,
  ): Promise<ContactReferenceResponse> {
    const patch = decodeContactPatch(body);
    return contactReference(await this.updateContact.update(principal, keyOf(idOrEmail), patch));
  }

  @Delete(':idOrEmail')
  @Operation(
    'deleteContact',
    'Delete a contact',
    'Deletes a contact with its values, segments, topics and history. An entry in the suppression list ' +
      'stays as a keyed hash of the address. What was sent is not deleted: see `POST /privacy/erasures`.',
  )
  @Responses(RemovedContactResponse, 'The contact is deleted.', { example: { contact: contactId } })
  @Refuses(() => [new NotFoundError('Contact')])
  @Audited(inHistoryNotAudited)
  @Requires('audience:write')
  async remove(
    @CurrentPrincipal() principal: Principal,
    @Param('idOrEmail') idOrEmail: string,
  ): Promise<RemovedContactResponse> {
    return removedContact(await this.removeContact.remove(principal, keyOf(idOrEmail)));
  }

  private page(teamId: string, page: PageRequest, query: ListQuery): Promise<Page<Contact>> {
    const segmentId = textFrom('segment_id', query.segment_id);
    const search = textFrom('search', query.search);
    return segmentId === undefined
      ? this.contacts.list(teamId, page, search)
      : this.contacts.ofSegment(teamId, segmentId.toLowerCase(), page, search);
  }
}
