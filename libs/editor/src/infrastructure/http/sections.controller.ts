import { CurrentPrincipal, PermissionsOf } from '#identity';
import type { Principal } from '#identity';
import { parsePageRequest } from '#kernel';
import { listResponse, toResponse } from '#http/server';
import { Describes, Operation, PathId, Refuses, Responses, ResponsesList, Takes } from '#http/openapi';
import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
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
@PathId('sectionId', 'Id of the section.', sectionId, 'Section')
@PermissionsOf('templates')
export class SectionsController {
  constructor(private readonly sections: SavedSections) {}

  @Get()
  @Operation('List saved sections', 'The sections of your team, newest first.')
  @ResponsesList(SavedSectionSummaryResponse, 'A page of sections.')
  async listSavedSections(@CurrentPrincipal() principal: Principal, @Query() query: Readonly<Record<string, unknown>>) {
    return listResponse(await this.sections.list(principal, parsePageRequest(query)), sectionSummary);
  }

  @Post()
  @Operation(
    'Save a section',
    'Saves blocks to be used in many documents. A document has the blocks themselves, in a `section` whose `savedId` is ' +
      'the id of the saved one.',
  )
  @Takes(SaveSectionRequest, 'The section.')
  @Responses(SavedSectionResponse, 'The section is saved.', { status: 201 })
  @Refuses(() => [...ofSection(), new TooManySectionsError(), () => decodeSection({})])
  async saveSection(@CurrentPrincipal() principal: Principal, @Body() body: unknown) {
    const { name, content } = decodeSection(body);
    return sectionResponse(await this.sections.save(principal, name, content));
  }

  @Get(':sectionId')
  @Operation('Get a saved section', 'A section with its blocks.')
  @Responses(SavedSectionResponse, 'The section.')
  async getSavedSection(@CurrentPrincipal() principal: Principal, @Param('sectionId') id: string) {
    return sectionResponse(await this.sections.find(principal, id));
  }

  @Patch(':sectionId')
  @Operation(
    'Update a saved section',
    'Changes its name or its blocks. Documents keep their copies until the section is applied to them.',
  )
  @Takes(UpdateSectionRequest, 'What changes.')
  @Responses(SavedSectionResponse, 'The section as it is now.')
  @Refuses(() => [...ofSection(), () => decodeSectionChanges({ name: 5 })])
  async updateSavedSection(
    @CurrentPrincipal() principal: Principal,
    @Param('sectionId') id: string,
    @Body() body: unknown,
  ) {
    const changes = decodeSectionChanges(body);
    return sectionResponse(await this.sections.change(principal, id, changes));
  }

  @Delete(':sectionId')
  @Operation('Remove a saved section', 'Documents keep their copies of it.')
  @Responses(RemovedSectionResponse, 'There is no such section any more.')
  async removeSavedSection(@CurrentPrincipal() principal: Principal, @Param('sectionId') id: string) {
    await this.sections.remove(principal, id);
    return toResponse(RemovedSectionResponse, { id });
  }

  @Get(':sectionId/uses')
  @Operation(
    'List the drafts with a section',
    'Broadcasts that are drafts or scheduled, and templates, newest first. Versions that were published are not among them.',
  )
  @ResponsesList(SectionUseResponse, 'A page of drafts.')
  async listSectionUses(
    @CurrentPrincipal() principal: Principal,
    @Param('sectionId') id: string,
    @Query() query: Readonly<Record<string, unknown>>,
  ) {
    return listResponse(await this.sections.uses(principal, id, parsePageRequest(query)), sectionUse);
  }

  @Post(':sectionId/apply')
  @Operation(
    'Update drafts with a section',
    'Writes the section into the drafts that have an older copy of it, twenty at a time: call it again with `next` until ' +
      'that is null. What a draft was becomes a version. Published versions of templates, and broadcasts that were sent, stay ' +
      'as they are.',
  )
  @Takes(ApplySectionRequest, 'Which drafts.')
  @Responses(AppliedSectionResponse, 'These drafts were looked at.')
  @Refuses(() => [() => decodeApplication({ after: 'x' })])
  async applySavedSection(
    @CurrentPrincipal() principal: Principal,
    @Param('sectionId') id: string,
    @Body() body: unknown,
  ) {
    return appliedResponse(id, await this.sections.apply(principal, id, decodeApplication(body)));
  }
}
