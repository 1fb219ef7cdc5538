import { toResponse } from '#http/server';
import { Always, Deleted, Field, Id, IdOrNull, ListOf, Moment, OneOf, ReferenceTo, Shape, Text } from '#http/openapi';
import { AppliedSection } from '../../application/saved-sections.use-case.js';
import { resourceTypes } from '../../domain/content.js';
import { SavedSection, SectionUse } from '../../domain/saved-section.js';
import { contentId, exampleSection, sectionId } from './example-ids.js';

@Shape('A saved section.')
export class SavedSectionSummaryResponse {
  @Id('Id of the section.', sectionId) id!: string;
  @Text('Its name.', 'Call to action') name!: string;
  @Moment('When it was saved.') created_at!: string;
  @Moment('When it was changed last.', '2026-11-30 20:41:12.3+00') updated_at!: string;
}

@Shape('A saved section with its blocks.')
export class SavedSectionResponse extends SavedSectionSummaryResponse {
  @Always('saved_section') object!: 'saved_section';
  @Field(
    'A document with one `section`. In other documents it stands with the id of the section as its `savedId`.',
    { type: 'object', additionalProperties: true },
    exampleSection,
  )
  content!: object;
}

@Shape('The section that was removed.')
export class RemovedSectionResponse extends Deleted(ReferenceTo('saved_section', 'Id of the section.', sectionId)) {}

@Shape('A draft that has a copy of the section.')
export class SectionUseResponse {
  @OneOf(resourceTypes, 'Whether it is a broadcast or a template.', 'broadcast') object!: 'broadcast' | 'template';
  @Id('Id of the broadcast or the template.', contentId) id!: string;
  @Text('Its name.', 'November news') name!: string;
}

const exampleUses = [{ object: 'broadcast', id: contentId, name: 'November news' }];

@Shape('The drafts that were looked at.')
export class AppliedSectionResponse {
  @Always('applied_section') object!: 'applied_section';
  @Id('Id of the section.', sectionId) id!: string;
  @ListOf(SectionUseResponse, 'Drafts that had an older copy, and have the section as it is now.', exampleUses)
  updated!: SectionUseResponse[];
  @ListOf(
    SectionUseResponse,
    'Drafts that keep their copy: somebody changed, sent or removed them at the same moment, or they would become too large.',
    [],
  )
  skipped!: SectionUseResponse[];
  @IdOrNull('The `after` of the next call; null once all drafts were looked at.', null) next!: string | null;
}

export const sectionSummary = (section: SavedSection): SavedSectionSummaryResponse =>
  toResponse(SavedSectionSummaryResponse, section);

export function sectionResponse(section: SavedSection): SavedSectionResponse {
  return {
    object: 'saved_section',
    ...sectionSummary(section),
    content: JSON.parse(section.document) as object,
  };
}

export function sectionUse({ id, type, name }: SectionUse): SectionUseResponse {
  return { object: type, id, name };
}

export function appliedResponse(id: string, { updated, skipped, next }: AppliedSection): AppliedSectionResponse {
  return { object: 'applied_section', id, updated: updated.map(sectionUse), skipped: skipped.map(sectionUse), next };
}
