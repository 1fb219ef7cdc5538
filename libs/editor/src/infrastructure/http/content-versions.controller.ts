import { Audited, CurrentPrincipal, PermissionsOf } from '#identity';
import type { Principal } from '#identity';
import { NotFoundError, parsePageRequest } from '#kernel';
import { listResponse, toResponse } from '#http/server';
import { Describes, Operation, PathId, QueryParameter, Refuses, Responses, ResponsesList, Takes } from '#http/openapi';
import { Body, Controller, Get, Param, Patch, Post, Query } from '@nestjs/common';
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
@PathId('versionId', 'Id of the version.', versionId, 'Version')
@PermissionsOf('templates')
export class ContentVersionsController {
  constructor(
    private readonly versions: ContentVersions,
    private readonly contents: EditorContents,
  ) {}

  @Get()
  @Operation(
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
  async listContentVersions(
    @CurrentPrincipal() principal: Principal,
    @Query() query: Readonly<Record<string, unknown>>,
  ) {
    const page = await this.versions.list(principal, parseContentRef(query), parsePageRequest(query));
    return listResponse(page, versionSummary);
  }

  @Post()
  @Operation('Keep a version', 'Keeps the present content, or another document, under a name.')
  @Takes(KeepVersionRequest, 'The version.')
  @Responses(ContentVersionReferenceResponse, 'The version is kept.', { status: 201 })
  @Refuses(() => [new NotFoundError('Broadcast'), () => nameOf({}), () => nameOf({ name: 5 })])
  @Audited({ notBecause: 'versions name who wrote' })
  async keepContentVersion(@CurrentPrincipal() principal: Principal, @Body() body: unknown) {
    const given = bodyOf(body);
    const id = await this.versions.keep(principal, parseContentRef(given), nameOf(given), given.content);
    return toResponse(ContentVersionReferenceResponse, { id });
  }

  @Get(':versionId')
  @Operation('Get a version', 'A version with its content.')
  @Responses(ContentVersionResponse, 'The version.')
  async getContentVersion(@CurrentPrincipal() principal: Principal, @Param('versionId') id: string) {
    return versionResponse(await this.contents.version(principal, id));
  }

  @Patch(':versionId')
  @Operation('Name a version', 'A version with a name is kept for as long as the content is.')
  @Takes(RenameVersionRequest, 'The name.')
  @Responses(ContentVersionReferenceResponse, 'The version has the name.')
  @Refuses(() => [() => nameOf({}), () => nameOf({ name: 5 })])
  @Audited({ notBecause: 'versions name who wrote' })
  async renameContentVersion(
    @CurrentPrincipal() principal: Principal,
    @Param('versionId') id: string,
    @Body() body: unknown,
  ) {
    await this.versions.rename(principal, id, nameOf(body));
    return toResponse(ContentVersionReferenceResponse, { id });
  }

  @Post(':versionId/restore')
  @Operation('Restore a version', 'Writes a version as the content. What is there becomes a version.')
  @Responses(WrittenContentResponse, 'The content is as it was.')
  @Audited({ notBecause: 'versions name who wrote' })
  async restoreContentVersion(@CurrentPrincipal() principal: Principal, @Param('versionId') id: string) {
    const { ref, revision, notes } = await this.contents.restore(principal, id);
    return toResponse(WrittenContentResponse, { object: ref.type, id: ref.id, revision, notes: [...notes] });
  }
}
