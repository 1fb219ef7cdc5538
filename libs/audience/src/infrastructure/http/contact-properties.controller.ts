import { CurrentPrincipal, PrincipalGuard, Requires } from '#identity';
import type { Principal } from '#identity';
import { parsePageRequest } from '#kernel';
import { idFromPath, listResponse, ListResponse } from '#platform/http';
import { DescribedBy, Responses, ResponsesList, Takes } from '#platform/openapi';
import { Body, Controller, Delete, Get, Param, Patch, Post, Query, UseGuards } from '@nestjs/common';
import { ManageProperties } from '../../application/manage-properties.use-case.js';
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

@Controller('contact-properties')
@UseGuards(PrincipalGuard)
@DescribedBy(() => import('./description/contact-properties.description.js'))
export class ContactPropertiesController {
  constructor(private readonly properties: ManageProperties) {}

  @Post()
  @Requires('audience:write')
  @Takes(CreateContactPropertyRequest)
  @Responses(ContactPropertyReferenceResponse, 201)
  async create(
    @CurrentPrincipal() principal: Principal,
    @Body() body: unknown,
  ): Promise<ContactPropertyReferenceResponse> {
    return { object: 'contact_property', id: await this.properties.create(principal, decodeNewProperty(body)) };
  }

  @Get()
  @Requires('audience:read')
  @ResponsesList(ContactPropertySummaryResponse)
  async list(
    @CurrentPrincipal() { teamId }: Principal,
    @Query() query: { readonly limit?: unknown; readonly after?: unknown; readonly before?: unknown },
  ): Promise<ListResponse<ContactPropertySummaryResponse>> {
    return listResponse(await this.properties.list(teamId, parsePageRequest(query)), propertySummary);
  }

  @Get(':id')
  @Requires('audience:read')
  @Responses(ContactPropertyResponse)
  async get(@CurrentPrincipal() { teamId }: Principal, @Param('id') id: string): Promise<ContactPropertyResponse> {
    const property = await this.properties.find(teamId, idFromPath('id', id));
    return { object: 'contact_property', ...propertySummary(property) };
  }

  @Patch(':id')
  @Requires('audience:write')
  @Takes(UpdateContactPropertyRequest)
  @Responses(ContactPropertyReferenceResponse)
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
  @Requires('audience:write')
  @Responses(RemovedContactPropertyResponse)
  async remove(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
  ): Promise<RemovedContactPropertyResponse> {
    const propertyId = idFromPath('id', id);
    await this.properties.remove(principal, propertyId);
    return { object: 'contact_property', id: propertyId, deleted: true };
  }
}
