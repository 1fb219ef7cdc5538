import { Audited, CurrentPrincipal, PrincipalGuard, Requires } from '#identity';
import type { Principal } from '#identity';
import { NotFoundError, parsePageRequest } from '#kernel';
import { idFromPath, listResponse, ListResponse } from '#http/server';
import {
  Describes,
  Operation,
  PathParameter,
  QueryParameter,
  Refuses,
  Responses,
  ResponsesList,
  Takes,
} from '#http/openapi';
import { Body, Controller, Get, HttpCode, Param, Patch, Post, Query, UseGuards } from '@nestjs/common';
import { ContentVersions } from '../../application/content-versions.use-case.js';
import { EditorContents } from '../../application/editor-contents.use-case.js';
import { parseContentRef, resourceTypes } from '../../domain/content.js';
import { bodyOf, KeepVersionRequest, nameOf, RenameVersionRequest } from './editor.request.js';
import {
  ContentVersionReferenceResponse,
  ContentVersionResponse,
  ContentVersionSummaryResponse,
  versionResponse,
  versionSummary,
  WrittenContentResponse,
} from './editor.response.js';
import { contentId, versionId } from './example-ids.js';

/** What contents were before. */
@Controller('editor/versions')
@Describes('Editor')
@UseGuards(PrincipalGuard)
export class ContentVersionsController {
  constructor(
    private readonly versions: ContentVersions,
    private readonly contents: EditorContents,
  ) {}

  @Get()
  @Operation(
    'listContentVersions',
    'List versions',
    'What a content was before, newest first: changes of one author within ten minutes are one version, and the last ' +
      '60 are kept; versions with a name are kept as well.',
  )
  @QueryParameter('resource_id', 'Id of the broadcast; id or alias of the template.', { maxLength: 128 }, contentId, {
    required: true,
  })
  @QueryParameter('resource_type', 'What it belongs to.', { enum: [...resourceTypes] }, 'broadcast', { required: true })
  @ResponsesList(ContentVersionSummaryResponse, 'A page of versions.')
  @Refuses(() => [
    new NotFoundError('Broadcast'),
    () => parseContentRef({}),
    () => parseContentRef({ resource_type: 'broadcast' }),
  ])
  @Requires('templates:read')
  async list(
    @CurrentPrincipal() principal: Principal,
    @Query() query: Readonly<Record<string, unknown>>,
  ): Promise<ListResponse<ContentVersionSummaryResponse>> {
    const page = await this.versions.list(principal, parseContentRef(query), parsePageRequest(query));
    return listResponse(page, versionSummary);
  }

  @Post()
  @Operation('keepContentVersion', 'Keep a version', 'Keeps the present content, or another document, under a name.')
  @Takes(KeepVersionRequest, 'The version.')
  @Responses(ContentVersionReferenceResponse, 'The version is kept.', { status: 201 })
  @Refuses(() => [new NotFoundError('Broadcast'), () => nameOf({}), () => nameOf({ name: 5 })])
  @Requires('templates:write')
  @Audited({ notBecause: 'versions name who wrote' })
  async keep(
    @CurrentPrincipal() principal: Principal,
    @Body() body: unknown,
  ): Promise<ContentVersionReferenceResponse> {
    const given = bodyOf(body);
    const id = await this.versions.keep(principal, parseContentRef(given), nameOf(given), given.content);
    return { object: 'content_version', id };
  }

  @Get(':versionId')
  @Operation('getContentVersion', 'Get a version', 'A version with its content.')
  @PathParameter('versionId', 'Id of the version.', { format: 'uuid' }, versionId)
  @Responses(ContentVersionResponse, 'The version.')
  @Refuses(() => [new NotFoundError('Version')])
  @Requires('templates:read')
  async get(@CurrentPrincipal() principal: Principal, @Param('versionId') id: string): Promise<ContentVersionResponse> {
    return versionResponse(await this.contents.version(principal, idFromPath('versionId', id)));
  }

  @Patch(':versionId')
  @Operation('renameContentVersion', 'Name a version', 'A version with a name is kept for as long as the content is.')
  @PathParameter('versionId', 'Id of the version.', { format: 'uuid' }, versionId)
  @Takes(RenameVersionRequest, 'The name.')
  @Responses(ContentVersionReferenceResponse, 'The version has the name.')
  @Refuses(() => [new NotFoundError('Version'), () => nameOf({}), () => nameOf({ name: 5 })])
  @Requires('templates:write')
  @Audited({ notBecause: 'versions name who wrote' })
  async rename(
    @CurrentPrincipal() principal: Principal,
    @Param('versionId') id: string,
    @Body() body: unknown,
  ): Promise<ContentVersionReferenceResponse> {
    const version = idFromPath('versionId', id);
    await this.versions.rename(principal, version, nameOf(body));
    return { object: 'content_version', id: version };
  }

  @Post(':versionId/restore')
  @Operation(
    'restoreContentVersion',
    'Restore a version',
    'Writes a version as the content. What is there becomes a version.',
  )
  @PathParameter('versionId', 'Id of the version.', { format: 'uuid' }, versionId)
  @Responses(WrittenContentResponse, 'The content is as it was.')
  @Refuses(() => [new NotFoundError('Version')])
  @Requires('templates:write')
  @Audited({ notBecause: 'versions name who wrote' })
  @HttpCode(200)
  async restore(
    @CurrentPrincipal() principal: Principal,
    @Param('versionId') id: string,
  ): Promise<WrittenContentResponse> {
    const { ref, revision, notes } = await this.contents.restore(principal, idFromPath('versionId', id));
    return { object: ref.type, id: ref.id, revision, notes: [...notes] };
  }
}
