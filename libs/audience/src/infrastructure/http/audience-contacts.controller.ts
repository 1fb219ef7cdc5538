import { Audited, CurrentPrincipal, PrincipalGuard, Requires } from '#identity';
import type { Principal } from '#identity';
import { parseWholeListRequest } from '#kernel';
import { idFromPath, listResponse, ListResponse } from '#platform/http';
import { DescribedBy, Responses, ResponsesList, Takes } from '#platform/openapi';
import { Body, Controller, Delete, Get, Param, Patch, Post, Query, UseGuards } from '@nestjs/common';
import { keyOf, ReadContacts } from '../../application/read-contacts.query.js';
import { RemoveContact } from '../../application/remove-contact.use-case.js';
import { UpdateContact } from '../../application/update-contact.use-case.js';
import { UpsertContact } from '../../application/upsert-contact.use-case.js';
import {
  CreateAudienceContactRequest,
  decodeContactPatch,
  decodeNewContact,
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
import { recordsItsChanges } from './records-its-changes.js';

/** Contacts under the old paths of their audience (docs/wire-contract.md section 12). The audience must exist. */
@Controller('audiences/:audienceId/contacts')
@UseGuards(PrincipalGuard)
@DescribedBy(() => import('./description/audience-contacts.description.js'))
export class AudienceContactsController {
  constructor(
    private readonly upsertContact: UpsertContact,
    private readonly updateContact: UpdateContact,
    private readonly removeContact: RemoveContact,
    private readonly contacts: ReadContacts,
  ) {}

  @Post()
  @Audited(recordsItsChanges)
  @Requires('audience:write')
  @Takes(CreateAudienceContactRequest)
  @Responses(ContactReferenceResponse, 201)
  async create(
    @CurrentPrincipal() principal: Principal,
    @Param('audienceId') audienceId: string,
    @Body() body: unknown,
  ): Promise<ContactReferenceResponse> {
    const segmentId = idFromPath('audienceId', audienceId);
    const contact = decodeNewContact(body, segmentId);
    await this.contacts.requireSegment(principal.teamId, segmentId);
    return contactReference((await this.upsertContact.execute(principal, contact)).id);
  }

  @Get()
  @Requires('audience:read')
  @ResponsesList(ContactSummaryResponse)
  async list(
    @CurrentPrincipal() { teamId }: Principal,
    @Param('audienceId') audienceId: string,
    @Query() query: { readonly limit?: unknown; readonly after?: unknown; readonly before?: unknown },
  ): Promise<ListResponse<ContactSummaryResponse>> {
    const page = parseWholeListRequest(query);
    const segmentId = idFromPath('audienceId', audienceId);
    return listResponse(await this.contacts.ofSegment(teamId, segmentId, page, undefined), contactSummary);
  }

  @Get(':idOrEmail')
  @Requires('audience:read')
  @Responses(ContactResponse)
  async get(
    @CurrentPrincipal() { teamId }: Principal,
    @Param('audienceId') audienceId: string,
    @Param('idOrEmail') idOrEmail: string,
  ): Promise<ContactResponse> {
    await this.contacts.requireSegment(teamId, idFromPath('audienceId', audienceId));
    return contactResponse(await this.contacts.find(teamId, idOrEmail));
  }

  @Patch(':idOrEmail')
  @Audited(recordsItsChanges)
  @Requires('audience:write')
  @Takes(UpdateContactRequest)
  @Responses(ContactReferenceResponse)
  async update(
    @CurrentPrincipal() principal: Principal,
    @Param('audienceId') audienceId: string,
    @Param('idOrEmail') idOrEmail: string,
    @Body() body: unknown,
  ): Promise<ContactReferenceResponse> {
    const patch = decodeContactPatch(body);
    await this.contacts.requireSegment(principal.teamId, idFromPath('audienceId', audienceId));
    return contactReference(await this.updateContact.execute(principal, keyOf(idOrEmail), patch));
  }

  /** Deletes the contact, not only its membership, and answers in the same way where there is none. */
  @Delete(':idOrEmail')
  @Audited(recordsItsChanges)
  @Requires('audience:write')
  @Responses(RemovedContactResponse)
  async remove(
    @CurrentPrincipal() principal: Principal,
    @Param('audienceId') audienceId: string,
    @Param('idOrEmail') idOrEmail: string,
  ): Promise<RemovedContactResponse> {
    await this.contacts.requireSegment(principal.teamId, idFromPath('audienceId', audienceId));
    const id = await this.removeContact.executeIfKnown(principal, keyOf(idOrEmail));
    return removedContact(id ?? idOrEmail, idOrEmail);
  }
}
