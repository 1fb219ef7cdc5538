import { Audited, CurrentPrincipal, PrincipalGuard, Requires } from '#identity';
import type { Principal } from '#identity';
import { Page, PageRequest, parseWholeListRequest } from '#kernel';
import { listResponse, ListResponse } from '#platform/http';
import { ApiQuery, DescribedBy, Responses, ResponsesList, Takes } from '#platform/openapi';
import { Body, Controller, Delete, Get, Param, Patch, Post, Query, UseGuards } from '@nestjs/common';
import { keyOf, ReadContacts } from '../../application/read-contacts.query.js';
import { RemoveContact } from '../../application/remove-contact.use-case.js';
import { UpdateContact } from '../../application/update-contact.use-case.js';
import { UpsertContact } from '../../application/upsert-contact.use-case.js';
import { Contact } from '../../domain/contact.js';
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
import { recordsItsChanges } from './records-its-changes.js';

interface ListQuery {
  readonly limit?: unknown;
  readonly after?: unknown;
  readonly before?: unknown;
  readonly segment_id?: unknown;
  readonly search?: unknown;
}

@Controller('contacts')
@UseGuards(PrincipalGuard)
@DescribedBy(() => import('./description/contacts.description.js'))
export class ContactsController {
  constructor(
    private readonly upsertContact: UpsertContact,
    private readonly updateContact: UpdateContact,
    private readonly removeContact: RemoveContact,
    private readonly contacts: ReadContacts,
  ) {}

  @Post()
  @Audited(recordsItsChanges)
  @Requires('audience:write')
  @Takes(CreateContactRequest)
  @Responses(ContactReferenceResponse, 201)
  async create(@CurrentPrincipal() principal: Principal, @Body() body: unknown): Promise<ContactReferenceResponse> {
    return contactReference((await this.upsertContact.execute(principal, decodeNewContact(body))).id);
  }

  @Get()
  @Requires('audience:read')
  @ResponsesList(ContactSummaryResponse)
  @ApiQuery({ name: 'segment_id', required: false, schema: { type: 'string', format: 'uuid' } })
  @ApiQuery({ name: 'search', required: false, schema: { type: 'string' } })
  async list(
    @CurrentPrincipal() { teamId }: Principal,
    @Query() query: ListQuery,
  ): Promise<ListResponse<ContactSummaryResponse>> {
    const page = parseWholeListRequest(query);
    return listResponse(await this.page(teamId, page, query), contactSummary);
  }

  @Get(':idOrEmail')
  @Requires('audience:read')
  @Responses(ContactResponse)
  async get(
    @CurrentPrincipal() { teamId }: Principal,
    @Param('idOrEmail') idOrEmail: string,
  ): Promise<ContactResponse> {
    return contactResponse(await this.contacts.find(teamId, idOrEmail));
  }

  @Patch(':idOrEmail')
  @Audited(recordsItsChanges)
  @Requires('audience:write')
  @Takes(UpdateContactRequest)
  @Responses(ContactReferenceResponse)
  async update(
    @CurrentPrincipal() principal: Principal,
    @Param('idOrEmail') idOrEmail: string,
    @Body() body: unknown,
  ): Promise<ContactReferenceResponse> {
    const patch = decodeContactPatch(body);
    return contactReference(await this.updateContact.execute(principal, keyOf(idOrEmail), patch));
  }

  @Delete(':idOrEmail')
  @Audited(recordsItsChanges)
  @Requires('audience:write')
  @Responses(RemovedContactResponse)
  async remove(
    @CurrentPrincipal() principal: Principal,
    @Param('idOrEmail') idOrEmail: string,
  ): Promise<RemovedContactResponse> {
    return removedContact(await this.removeContact.execute(principal, keyOf(idOrEmail)));
  }

  private page(teamId: string, page: PageRequest, query: ListQuery): Promise<Page<Contact>> {
    const segmentId = textFrom('segment_id', query.segment_id);
    const search = textFrom('search', query.search);
    return segmentId === undefined
      ? this.contacts.list(teamId, page, search)
      : this.contacts.ofSegment(teamId, segmentId.toLowerCase(), page, search);
  }
}
