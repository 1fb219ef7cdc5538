import { CurrentPrincipal, PrincipalGuard, Requires } from '#identity';
import type { Principal } from '#identity';
import { NotFoundError, parsePageRequest } from '#kernel';
import { idFromPath, listResponse, ListResponse } from '#http/server';
import { Describes, Operation, PathId, Refuses, Responses, ResponsesList, Takes } from '#http/openapi';
import { Body, Controller, Delete, Get, Param, Patch, Post, Query, UseGuards } from '@nestjs/common';
import { PropertyExistsError, PropertyInRemovalError, checkKey, checkValue } from '../../domain/property.js';
import { ContactProperties } from '../../application/contact-properties.use-case.js';
import { propertyId } from './example-ids.js';
import {
  CreateContactPropertyRequest,
  decodeFallback,
  decodeNewProperty,
  UpdateContactPropertyRequest,
} from './contact-property.request.js';
import {
  ContactPropertyReferenceResponse,
  ContactPropertyResponse,
  ContactPropertySummaryResponse,
  propertySummary,
  RemovedContactPropertyResponse,
} from './contact-property.response.js';

const wrongFallback = (): unknown => checkValue('fallback_value', 'number', 'many');

@Controller('contact-properties')
@Describes(
  'Contact properties',
  'Fields that you add to your contacts. The key and the type of a property never change.',
)
@PathId('id', 'Id of the contact property.', propertyId)
@UseGuards(PrincipalGuard)
export class ContactPropertiesController {
  constructor(private readonly properties: ContactProperties) {}

  @Post()
  @Operation('createContactProperty', 'Create a contact property', 'Adds a field to all contacts of your team.')
  @Takes(CreateContactPropertyRequest, 'The property.')
  @Responses(ContactPropertyReferenceResponse, 'The property is created.', { status: 201 })
  @Refuses(() => [
    () => checkKey('two words'),
    () => checkKey('EMAIL'),
    wrongFallback,
    new PropertyExistsError('plan'),
    new PropertyInRemovalError('plan'),
  ])
  @Requires('audience:write')
  async create(
    @CurrentPrincipal() principal: Principal,
    @Body() body: unknown,
  ): Promise<ContactPropertyReferenceResponse> {
    return { object: 'contact_property', id: await this.properties.create(principal, decodeNewProperty(body)) };
  }

  @Get()
  @Operation(
    'listContactProperties',
    'List contact properties',
    'The contact properties of your team, newest first, in pages.',
  )
  @ResponsesList(ContactPropertySummaryResponse, 'A page of properties.')
  @Requires('audience:read')
  async list(
    @CurrentPrincipal() { teamId }: Principal,
    @Query() query: { readonly limit?: unknown; readonly after?: unknown; readonly before?: unknown },
  ): Promise<ListResponse<ContactPropertySummaryResponse>> {
    return listResponse(await this.properties.list(teamId, parsePageRequest(query)), propertySummary);
  }

  @Get(':id')
  @Operation('getContactProperty', 'Get a contact property', 'One contact property.')
  @Responses(ContactPropertyResponse, 'The property.')
  @Refuses(() => [new NotFoundError('Contact property')])
  @Requires('audience:read')
  async get(@CurrentPrincipal() { teamId }: Principal, @Param('id') id: string): Promise<ContactPropertyResponse> {
    const property = await this.properties.find(teamId, idFromPath('id', id));
    return { object: 'contact_property', ...propertySummary(property) };
  }

  @Patch(':id')
  @Operation('updateContactProperty', 'Update a contact property', 'Sets the fallback of a contact property.')
  @Takes(UpdateContactPropertyRequest, 'The fallback.')
  @Responses(ContactPropertyReferenceResponse, 'The property is updated.')
  @Refuses(() => [new NotFoundError('Contact property'), wrongFallback])
  @Requires('audience:write')
  async update(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Body() body: unknown,
  ): Promise<ContactPropertyReferenceResponse> {
    const propertyId = idFromPath('id', id);
    await this.properties.setFallback(principal, propertyId, decodeFallback(body));
    return { object: 'contact_property', id: propertyId };
  }

  @Delete(':id')
  @Operation(
    'deleteContactProperty',
    'Delete a contact property',
    'Deletes a contact property. Its values are no longer shown, and are removed from the contacts; until ' +
      'that is done a new property cannot have its key.',
  )
  @Responses(RemovedContactPropertyResponse, 'The property is deleted.')
  @Refuses(() => [new NotFoundError('Contact property')])
  @Requires('audience:write')
  async remove(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
  ): Promise<RemovedContactPropertyResponse> {
    const propertyId = idFromPath('id', id);
    await this.properties.remove(principal, propertyId);
    return { object: 'contact_property', id: propertyId, deleted: true };
  }
}
