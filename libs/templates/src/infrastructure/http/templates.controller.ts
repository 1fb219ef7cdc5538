import { Audited, CurrentPrincipal, PrincipalGuard, Requires } from '#identity';
import type { Principal } from '#identity';
import { parsePageRequest } from '#kernel';
import { listResponse, ListResponse } from '#platform/http';
import { DescribedBy, Responses, ResponsesAll, ResponsesList, Takes } from '#platform/openapi';
import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query, UseGuards } from '@nestjs/common';
import { ReadTemplates } from '../../application/read-templates.query.js';
import { WriteTemplates } from '../../application/write-templates.use-case.js';
import {
  CreateTemplateRequest,
  decodeNewTemplate,
  decodePreview,
  decodeTemplateChanges,
  PreviewTemplateRequest,
  UpdateTemplateRequest,
} from './template.request.js';
import {
  previewResponse,
  RemovedTemplateResponse,
  TemplateIdResponse,
  TemplatePreviewResponse,
  templateResponse,
  TemplateResponse,
  templateSummary,
  TemplateSummaryResponse,
  versionResponse,
  TemplateVersionResponse,
} from './template.response.js';

/** Stored contents of emails (docs/wire-contract.md section 16). */
@Controller('templates')
@UseGuards(PrincipalGuard)
@DescribedBy(() => import('./description/templates.description.js'))
export class TemplatesController {
  constructor(
    private readonly writeTemplates: WriteTemplates,
    private readonly readTemplates: ReadTemplates,
  ) {}

  @Post()
  @Requires('templates:write')
  @Takes(CreateTemplateRequest)
  @Responses(TemplateIdResponse, 201)
  async create(@CurrentPrincipal() principal: Principal, @Body() body: unknown): Promise<TemplateIdResponse> {
    return reference(await this.writeTemplates.create(principal, decodeNewTemplate(body)));
  }

  @Get()
  @Requires('templates:read')
  @ResponsesList(TemplateSummaryResponse)
  async list(
    @CurrentPrincipal() { teamId }: Principal,
    @Query() query: object,
  ): Promise<ListResponse<TemplateSummaryResponse>> {
    return listResponse(await this.readTemplates.list(teamId, parsePageRequest(query)), templateSummary);
  }

  @Get(':idOrAlias')
  @Requires('templates:read')
  @Responses(TemplateResponse)
  async get(
    @CurrentPrincipal() { teamId }: Principal,
    @Param('idOrAlias') idOrAlias: string,
  ): Promise<TemplateResponse> {
    return templateResponse(await this.readTemplates.find(teamId, idOrAlias));
  }

  @Patch(':idOrAlias')
  @Requires('templates:write')
  @Takes(UpdateTemplateRequest)
  @Responses(TemplateIdResponse)
  async update(
    @CurrentPrincipal() principal: Principal,
    @Param('idOrAlias') idOrAlias: string,
    @Body() body: unknown,
  ): Promise<TemplateIdResponse> {
    return reference(await this.writeTemplates.change(principal, idOrAlias, decodeTemplateChanges(body)));
  }

  @Delete(':idOrAlias')
  @Requires('templates:write')
  @Responses(RemovedTemplateResponse)
  async remove(
    @CurrentPrincipal() principal: Principal,
    @Param('idOrAlias') idOrAlias: string,
  ): Promise<RemovedTemplateResponse> {
    return { ...reference(await this.writeTemplates.remove(principal, idOrAlias)), deleted: true };
  }

  @Post(':idOrAlias/publish')
  @Requires('templates:write')
  @HttpCode(200)
  @Responses(TemplateIdResponse)
  async publish(
    @CurrentPrincipal() principal: Principal,
    @Param('idOrAlias') idOrAlias: string,
  ): Promise<TemplateIdResponse> {
    return reference(await this.writeTemplates.publish(principal, idOrAlias));
  }

  @Post(':idOrAlias/duplicate')
  @Requires('templates:write')
  @HttpCode(200)
  @Responses(TemplateIdResponse)
  async duplicate(
    @CurrentPrincipal() principal: Principal,
    @Param('idOrAlias') idOrAlias: string,
  ): Promise<TemplateIdResponse> {
    return reference(await this.writeTemplates.duplicate(principal, idOrAlias));
  }

  /** Addition of Postrider. */
  @Get(':idOrAlias/versions')
  @Requires('templates:read')
  @ResponsesAll(TemplateVersionResponse)
  async versions(
    @CurrentPrincipal() { teamId }: Principal,
    @Param('idOrAlias') idOrAlias: string,
  ): Promise<ListResponse<TemplateVersionResponse>> {
    const { template, versions } = await this.readTemplates.versions(teamId, idOrAlias);
    return listResponse({ items: versions, hasMore: false }, (version) => versionResponse(version, template));
  }

  /** Addition of Postrider. */
  @Post(':idOrAlias/preview')
  @Audited({ notBecause: 'it only shows' })
  @Requires('templates:read')
  @HttpCode(200)
  @Takes(PreviewTemplateRequest, false)
  @Responses(TemplatePreviewResponse)
  async preview(
    @CurrentPrincipal() { teamId }: Principal,
    @Param('idOrAlias') idOrAlias: string,
    @Body() body: unknown,
  ): Promise<TemplatePreviewResponse> {
    const { variables, versionId } = decodePreview(body);
    return previewResponse(await this.readTemplates.preview(teamId, idOrAlias, variables, versionId));
  }
}

function reference(id: string): TemplateIdResponse {
  return { object: 'template', id };
}
