import { Audited, CurrentPrincipal, WritesInGroups, PermissionsOf, TeamId } from '#identity';
import type { Principal } from '#identity';
import { NotFoundError, Page, PageRequest, parseWholeListRequest } from '#kernel';
import { listResponse } from '#http/server';
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
import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { checkValue, checkValues } from '../../domain/property.js';
import { segmentThing } from '../../domain/segment.js';
import { keyOf, ReadContacts } from '../../application/read-contacts.query.js';
import { RemoveContact } from '../../application/remove-contact.use-case.js';
import { UpdateContact } from '../../application/update-contact.use-case.js';
import { UpsertContact } from '../../application/upsert-contact.use-case.js';
import { Contact } from '../../domain/contact.js';
import { contactEvents } from './audience-events.js';
import { contactId, segmentId } from './example-ids.js';
import {
  CreateContactRequest,
  decodeContactPatch,
  decodeNewContact,
  SearchedContacts,
  textFrom,
  UpdateContactRequest,
} from './contact.request.js';
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
@PathParameter('idOrEmail', 'Id of the contact, or its address in any case.', {}, 'ada@customer.example', 'Contact')
@PermissionsOf('audience')
export class ContactsController {
  constructor(
    private readonly upsertContact: UpsertContact,
    private readonly contactUpdates: UpdateContact,
    private readonly removeContact: RemoveContact,
    private readonly contacts: ReadContacts,
  ) {}

  @Post()
  @Operation(
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
  @WritesInGroups(true)
  async createContact(@CurrentPrincipal() principal: Principal, @Body() body: unknown) {
    return contactReference((await this.upsertContact.upsert(principal, decodeNewContact(body))).id);
  }

  @Get()
  @Operation(
    'List contacts',
    'The contacts of your team, newest first: all, those of a segment, or those that a search finds.',
  )
  @QueryParameter('segment_id', 'Only members of this segment.', { format: 'uuid' }, segmentId)
  @SearchedContacts
  @ResponsesWholeList(ContactSummaryResponse, 'The contacts.')
  @Refuses(() => [new NotFoundError(segmentThing)])
  async listContacts(@TeamId() teamId: string, @Query() query: ListQuery) {
    const page = parseWholeListRequest(query);
    return listResponse(await this.page(teamId, page, query), contactSummary);
  }

  @Get(':idOrEmail')
  @Operation('Get a contact', 'One contact, with its properties.')
  @Responses(ContactResponse, 'The contact.')
  async getContact(@TeamId() teamId: string, @Param('idOrEmail') idOrEmail: string) {
    return contactResponse(await this.contacts.find(teamId, idOrEmail));
  }

  @Patch(':idOrEmail')
  @Operation('Update a contact', 'Sets the given fields of a contact.')
  @Takes(UpdateContactRequest, 'The fields to change.', {
    examples: {
      unsubscribe: { summary: 'No more broadcasts', value: { unsubscribed: true } },
      values: { summary: 'A value, and no last name', value: { last_name: null, properties: { plan: 'free' } } },
    },
  })
  @Responses(ContactReferenceResponse, 'The contact is updated.')
  @Refuses(() => [
    () => decodeContactPatch({ unsubscribed: 'yes' }),
    () => checkValues({ plan: 'pro' }, {}),
    () => checkValue('seats', 'number', 'twelve'),
  ])
  @Audited(inHistoryNotAudited)
  async updateContact(
    @CurrentPrincipal() principal: Principal,
    @Param('idOrEmail') idOrEmail: string,
    @Body() body: unknown,
  ) {
    const patch = decodeContactPatch(body);
    return contactReference(await this.contactUpdates.update(principal, keyOf(idOrEmail), patch));
  }

  @Delete(':idOrEmail')
  @Operation(
    'Delete a contact',
    'Deletes a contact with its values, segments, topics and history. An entry in the suppression list ' +
      'stays as a keyed hash of the address. What was sent is not deleted: see `POST /privacy/erasures`.',
  )
  @Responses(RemovedContactResponse, 'The contact is deleted.', { example: { contact: contactId } })
  @Audited(inHistoryNotAudited)
  async deleteContact(@CurrentPrincipal() principal: Principal, @Param('idOrEmail') idOrEmail: string) {
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
