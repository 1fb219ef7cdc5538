import { CurrentPrincipal, PrincipalGuard, Requires } from '#identity';
import type { Principal } from '#identity';
import { NotFoundError, parsePageRequest } from '#kernel';
import { idFromPath, listResponse, ListResponse } from '#http/server';
import { Describes, Operation, PathParameter, Refuses, Responses, ResponsesList, Takes } from '#http/openapi';
import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query, UseGuards } from '@nestjs/common';
import { SavedSections } from '../../application/saved-sections.use-case.js';
import { parseSectionName, sectionIn, TooManySectionsError } from '../../domain/saved-section.js';
import { sectionId } from './example-ids.js';
import {
  ApplySectionRequest,
  decodeApplication,
  decodeSection,
  decodeSectionChanges,
  SaveSectionRequest,
  UpdateSectionRequest,
} from './sections.request.js';
import {
  appliedResponse,
  AppliedSectionResponse,
  RemovedSectionResponse,
  SavedSectionResponse,
  SavedSectionSummaryResponse,
  sectionResponse,
  sectionSummary,
  SectionUseResponse,
  sectionUse,
} from './sections.response.js';

const ofSection = () => [
  () => parseSectionName(''),
  () => sectionIn({ type: 'doc', content: [] }),
  () => sectionIn({ type: 'doc', content: [{ type: 'footer' }] }),
];

/** Blocks that a team uses in many documents. */
@Controller('editor/sections')
@Describes('Editor')
@UseGuards(PrincipalGuard)
export class SectionsController {
  constructor(private readonly sections: SavedSections) {}

  @Get()
  @Operation('listSavedSections', 'List saved sections', 'The sections of your team, newest first.')
  @ResponsesList(SavedSectionSummaryResponse, 'A page of sections.')
  @Requires('templates:read')
  async list(
    @CurrentPrincipal() principal: Principal,
    @Query() query: Readonly<Record<string, unknown>>,
  ): Promise<ListResponse<SavedSectionSummaryResponse>> {
    return listResponse(await this.sections.list(principal, parsePageRequest(query)), sectionSummary);
  }

  @Post()
  @Operation(
    'saveSection',
    'Save a section',
    'Saves blocks to be used in many documents. A document has the blocks themselves, in a `section` whose `savedId` is ' +
      'the id of the saved one.',
  )
  @Takes(SaveSectionRequest, 'The section.')
  @Responses(SavedSectionResponse, 'The section is saved.', { status: 201 })
  @Refuses(() => [...ofSection(), new TooManySectionsError(), () => decodeSection({})])
  @Requires('templates:write')
  async save(@CurrentPrincipal() principal: Principal, @Body() body: unknown): Promise<SavedSectionResponse> {
    const { name, content } = decodeSection(body);
    return sectionResponse(await this.sections.save(principal, name, content));
  }

  @Get(':sectionId')
  @Operation('getSavedSection', 'Get a saved section', 'A section with its blocks.')
  @PathParameter('sectionId', 'Id of the section.', { format: 'uuid' }, sectionId)
  @Responses(SavedSectionResponse, 'The section.')
  @Refuses(() => [new NotFoundError('Section')])
  @Requires('templates:read')
  async get(@CurrentPrincipal() principal: Principal, @Param('sectionId') id: string): Promise<SavedSectionResponse> {
    return sectionResponse(await this.sections.find(principal, idFromPath('sectionId', id)));
  }

  @Patch(':sectionId')
  @Operation(
    'updateSavedSection',
    'Update a saved section',
    'Changes its name or its blocks. Documents keep their copies until the section is applied to them.',
  )
  @PathParameter('sectionId', 'Id of the section.', { format: 'uuid' }, sectionId)
  @Takes(UpdateSectionRequest, 'What changes.')
  @Responses(SavedSectionResponse, 'The section as it is now.')
  @Refuses(() => [new NotFoundError('Section'), ...ofSection(), () => decodeSectionChanges({ name: 5 })])
  @Requires('templates:write')
  async change(
    @CurrentPrincipal() principal: Principal,
    @Param('sectionId') id: string,
    @Body() body: unknown,
  ): Promise<SavedSectionResponse> {
    const changes = decodeSectionChanges(body);
    return sectionResponse(await this.sections.change(principal, idFromPath('sectionId', id), changes));
  }

  @Delete(':sectionId')
  @Operation('removeSavedSection', 'Remove a saved section', 'Documents keep their copies of it.')
  @PathParameter('sectionId', 'Id of the section.', { format: 'uuid' }, sectionId)
  @Responses(RemovedSectionResponse, 'There is no such section any more.')
  @Refuses(() => [new NotFoundError('Section')])
  @Requires('templates:write')
  async remove(
    @CurrentPrincipal() principal: Principal,
    @Param('sectionId') given: string,
  ): Promise<RemovedSectionResponse> {
    const id = idFromPath('sectionId', given);
    await this.sections.remove(principal, id);
    return { object: 'saved_section', id, deleted: true };
  }

  @Get(':sectionId/uses')
  @Operation(
    'listSectionUses',
    'List the drafts with a section',
    'Broadcasts that are drafts or scheduled, and templates, newest first. Versions that were published are not among them.',
  )
  @PathParameter('sectionId', 'Id of the section.', { format: 'uuid' }, sectionId)
  @ResponsesList(SectionUseResponse, 'A page of drafts.')
  @Refuses(() => [new NotFoundError('Section')])
  @Requires('templates:read')
  async uses(
    @CurrentPrincipal() principal: Principal,
    @Param('sectionId') given: string,
    @Query() query: Readonly<Record<string, unknown>>,
  ): Promise<ListResponse<SectionUseResponse>> {
    const id = idFromPath('sectionId', given);
    return listResponse(await this.sections.uses(principal, id, parsePageRequest(query)), sectionUse);
  }

  @Post(':sectionId/apply')
  @Operation(
    'applySavedSection',
    'Update drafts with a section',
    'Writes the section into the drafts that have an older copy of it, twenty at a time: call it again with `next` until ' +
      'that is null. What a draft was becomes a version. Published versions of templates, and broadcasts that were sent, stay ' +
      'as they are.',
  )
  @PathParameter('sectionId', 'Id of the section.', { format: 'uuid' }, sectionId)
  @Takes(ApplySectionRequest, 'Which drafts.')
  @Responses(AppliedSectionResponse, 'These drafts were looked at.')
  @Refuses(() => [new NotFoundError('Section'), () => decodeApplication({ after: 'x' })])
  @Requires('templates:write')
  @HttpCode(200)
  async apply(
    @CurrentPrincipal() principal: Principal,
    @Param('sectionId') given: string,
    @Body() body: unknown,
  ): Promise<AppliedSectionResponse> {
    const id = idFromPath('sectionId', given);
    return appliedResponse(id, await this.sections.apply(principal, id, decodeApplication(body)));
  }
}
