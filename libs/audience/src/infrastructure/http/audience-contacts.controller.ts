import { Audited, CurrentPrincipal, PermissionsOf, TeamId } from '#identity';
import type { Principal } from '#identity';
import { NotFoundError, parseWholeListRequest } from '#kernel';
import { listResponse } from '#http/server';
import {
  Describes,
  Operation,
  PathId,
  PathParameter,
  Refuses,
  Responses,
  ResponsesWholeList,
  Takes,
} from '#http/openapi';
import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { segmentThing } from '../../domain/segment.js';
import { checkValues } from '../../domain/property.js';
import { keyOf, ReadContacts } from '../../application/read-contacts.query.js';
import { RemoveContact } from '../../application/remove-contact.use-case.js';
import { UpdateContact } from '../../application/update-contact.use-case.js';
import { UpsertContact } from '../../application/upsert-contact.use-case.js';
import { segmentId } from './example-ids.js';
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
import { inHistoryNotAudited } from './in-history-not-audited.js';

/** Contacts under the old paths of their audience (docs/wire-contract.md section 12). The audience must exist. */
@Controller('audiences/:audienceId/contacts')
@Describes('Audiences')
@PathId('audienceId', 'Id of the segment.', segmentId, segmentThing)
@PathParameter('idOrEmail', 'Id of the contact, or its address in any case.', {}, 'ada@customer.example')
@PermissionsOf('audience')
export class AudienceContactsController {
  constructor(
    private readonly upsertContact: UpsertContact,
    private readonly updateContact: UpdateContact,
    private readonly removeContact: RemoveContact,
    private readonly contacts: ReadContacts,
  ) {}

  @Post()
  @Operation('Add or update a contact of a segment, old path', 'As `POST /contacts` with this segment.', {
    deprecated: true,
  })
  @Takes(CreateAudienceContactRequest, 'The contact.')
  @Responses(ContactReferenceResponse, 'The contact is stored.', { status: 201 })
  @Refuses(() => [() => decodeNewContact({ email: 'ada' }), () => checkValues({ plan: 'pro' }, {})])
  @Audited(inHistoryNotAudited)
  async createAudienceContact(
    @CurrentPrincipal() principal: Principal,
    @Param('audienceId') segmentId: string,
    @Body() body: unknown,
  ) {
    const contact = decodeNewContact(body, segmentId);
    await this.contacts.requireSegment(principal.teamId, segmentId);
    return contactReference((await this.upsertContact.upsert(principal, contact)).id);
  }

  @Get()
  @Operation('List the contacts of a segment, old path', 'As `GET /segments/{id}/contacts`.', {
    deprecated: true,
  })
  @ResponsesWholeList(ContactSummaryResponse, 'The contacts.')
  async listAudienceContacts(
    @TeamId() teamId: string,
    @Param('audienceId') segmentId: string,
    @Query() query: { readonly limit?: unknown; readonly after?: unknown; readonly before?: unknown },
  ) {
    const page = parseWholeListRequest(query);
    return listResponse(await this.contacts.ofSegment(teamId, segmentId, page, undefined), contactSummary);
  }

  @Get(':idOrEmail')
  @Operation('Get a contact, old path', 'As `GET /contacts/{idOrEmail}`.', { deprecated: true })
  @Responses(ContactResponse, 'The contact.')
  @Refuses(() => [new NotFoundError('Contact')])
  async getAudienceContact(
    @TeamId() teamId: string,
    @Param('audienceId') audienceId: string,
    @Param('idOrEmail') idOrEmail: string,
  ) {
    await this.contacts.requireSegment(teamId, audienceId);
    return contactResponse(await this.contacts.find(teamId, idOrEmail));
  }

  @Patch(':idOrEmail')
  @Operation('Update a contact, old path', 'As `PATCH /contacts/{idOrEmail}`.', {
    deprecated: true,
  })
  @Takes(UpdateContactRequest, 'The fields to change.')
  @Responses(ContactReferenceResponse, 'The contact is updated.')
  @Refuses(() => [
    new NotFoundError('Contact'),
    () => decodeContactPatch({ unsubscribed: 'yes' }),
    () => checkValues({ plan: 'pro' }, {}),
  ])
  @Audited(inHistoryNotAudited)
  async updateAudienceContact(
    @CurrentPrincipal() principal: Principal,
    @Param('audienceId') audienceId: string,
    @Param('idOrEmail') idOrEmail: string,
    @Body() body: unknown,
  ) {
    const patch = decodeContactPatch(body);
    await this.contacts.requireSegment(principal.teamId, audienceId);
    return contactReference(await this.updateContact.update(principal, keyOf(idOrEmail), patch));
  }

  /** Deletes the contact, not only its membership, and answers in the same way if there is none. */
  @Delete(':idOrEmail')
  @Operation(
    'Delete a contact, old path',
    'Deletes the contact, not only its membership. A contact that does not exist gets the same answer, in ' +
      'which `contact` is what the path named.',
    { deprecated: true },
  )
  @Responses(RemovedContactResponse, 'There is no such contact.')
  @Audited(inHistoryNotAudited)
  async deleteAudienceContact(
    @CurrentPrincipal() principal: Principal,
    @Param('audienceId') audienceId: string,
    @Param('idOrEmail') idOrEmail: string,
  ) {
    await this.contacts.requireSegment(principal.teamId, audienceId);
    const id = await this.removeContact.removeIfKnown(principal, keyOf(idOrEmail));
    return removedContact(id ?? idOrEmail, idOrEmail);
  }
}
