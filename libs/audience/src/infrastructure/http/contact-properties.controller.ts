import { CurrentPrincipal, PermissionsOf, TeamId } from '#identity';
import type { Principal } from '#identity';
import { parsePageRequest } from '#kernel';
import { listResponse, toResponse } from '#http/server';
import { Describes, Operation, PathId, Refuses, Responses, ResponsesList, Takes } from '#http/openapi';
import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
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
@PathId('id', 'Id of the contact property.', propertyId, 'Contact property')
@PermissionsOf('audience')
export class ContactPropertiesController {
  constructor(private readonly properties: ContactProperties) {}

  @Post()
  @Operation('Create a contact property', 'Adds a field to all contacts of your team.')
  @Takes(CreateContactPropertyRequest, 'The property.')
  @Responses(ContactPropertyReferenceResponse, 'The property is created.', { status: 201 })
  @Refuses(() => [
    () => checkKey('two words'),
    () => checkKey('EMAIL'),
    wrongFallback,
    new PropertyExistsError('plan'),
    new PropertyInRemovalError('plan'),
  ])
  async createContactProperty(@CurrentPrincipal() principal: Principal, @Body() body: unknown) {
    return toResponse(ContactPropertyReferenceResponse, {
      id: await this.properties.create(principal, decodeNewProperty(body)),
    });
  }

  @Get()
  @Operation('List contact properties', 'The contact properties of your team, newest first, in pages.')
  @ResponsesList(ContactPropertySummaryResponse, 'A page of properties.')
  async listContactProperties(
    @TeamId() teamId: string,
    @Query() query: { readonly limit?: unknown; readonly after?: unknown; readonly before?: unknown },
  ) {
    return listResponse(await this.properties.list(teamId, parsePageRequest(query)), propertySummary);
  }

  @Get(':id')
  @Operation('Get a contact property', 'One contact property.')
  @Responses(ContactPropertyResponse, 'The property.')
  async getContactProperty(@TeamId() teamId: string, @Param('id') id: string) {
    const property = await this.properties.find(teamId, id);
    return toResponse(ContactPropertyResponse, property);
  }

  @Patch(':id')
  @Operation('Update a contact property', 'Sets the fallback of a contact property.')
  @Takes(UpdateContactPropertyRequest, 'The fallback.')
  @Responses(ContactPropertyReferenceResponse, 'The property is updated.')
  @Refuses(() => [wrongFallback])
  async updateContactProperty(
    @CurrentPrincipal() principal: Principal,
    @Param('id') propertyId: string,
    @Body() body: unknown,
  ) {
    await this.properties.setFallback(principal, propertyId, decodeFallback(body));
    return toResponse(ContactPropertyReferenceResponse, { id: propertyId });
  }

  @Delete(':id')
  @Operation(
    'Delete a contact property',
    'Deletes a contact property. Its values are no longer shown, and are removed from the contacts; until ' +
      'that is done a new property cannot have its key.',
  )
  @Responses(RemovedContactPropertyResponse, 'The property is deleted.')
  async deleteContactProperty(@CurrentPrincipal() principal: Principal, @Param('id') propertyId: string) {
    await this.properties.remove(principal, propertyId);
    return toResponse(RemovedContactPropertyResponse, { id: propertyId });
  }
}
