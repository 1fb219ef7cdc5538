import type { Principal } from '#identity';
import { Clock, DomainError, found, newId, NotFoundError, Page, PageRequest } from '#kernel';
import { Injectable } from '@nestjs/common';
import type { EmailDocument } from '../domain/document/document-node.js';
import {
  parseSectionName,
  SavedSection,
  sectionIn,
  SectionUse,
  TooManySectionsError,
  withSection,
} from '../domain/saved-section.js';
import { EditorContents } from './editor-contents.use-case.js';
import { DocumentComposer } from './ports/document-composer.port.js';
import { SectionRepository } from './ports/sections-and-styles.port.js';

export interface AppliedSection {
  /** The drafts that have the section as it is now, and had another one before. */
  readonly updated: readonly SectionUse[];
  /** Those that somebody has changed, sent or removed at the same moment, and those that cannot have it: they would be too large. */
  readonly skipped: readonly SectionUse[];
  /** Where the next call goes on; null: all drafts were looked at. */
  readonly next: string | null;
}

/** Drafts that one call looks at. Each may be rendered again. */
const appliedAtOnce = 20;

/** Blocks that a team uses in many documents, and changes in all of them at once. */
@Injectable()
export class SavedSections {
  constructor(
    private readonly sections: SectionRepository,
    private readonly contents: EditorContents,
    private readonly composer: DocumentComposer,
    private readonly clock: Clock,
  ) {}

  list({ teamId }: Principal, page: PageRequest): Promise<Page<SavedSection>> {
    return this.sections.list(teamId, page);
  }

  async find({ teamId }: Principal, id: string): Promise<SavedSection> {
    return found('Section', await this.sections.find(teamId, id));
  }

  async save(principal: Principal, name: string, given: unknown): Promise<SavedSection> {
    principal.require('templates:write');
    const now = this.clock.now();
    const section: SavedSection = {
      id: newId(now.getTime()),
      teamId: principal.teamId,
      name: parseSectionName(name),
      document: await this.checked(principal.teamId, given),
      createdAt: now,
      updatedAt: now,
    };
    if (!(await this.sections.add(section))) throw new TooManySectionsError();
    return section;
  }

  /** Documents keep the copies that they have until `apply`. */
  async change(
    principal: Principal,
    id: string,
    { name, content }: { readonly name?: string; readonly content?: unknown },
  ): Promise<SavedSection> {
    principal.require('templates:write');
    const changes = {
      ...(name === undefined ? {} : { name: parseSectionName(name) }),
      ...(content === undefined ? {} : { document: await this.checked(principal.teamId, content) }),
    };
    return found('Section', await this.sections.change(principal.teamId, id, changes, this.clock.now()));
  }

  async remove(principal: Principal, id: string): Promise<void> {
    principal.require('templates:write');
    if (!(await this.sections.remove(principal.teamId, id))) throw new NotFoundError('Section');
  }

  async uses(principal: Principal, id: string, page: PageRequest): Promise<Page<SectionUse>> {
    await this.find(principal, id);
    return this.sections.uses(principal.teamId, id, page);
  }

  /** Writes the section into the drafts that have an older copy of it. What they were is a version. Doing it again changes nothing. */
  async apply(principal: Principal, id: string, after?: string): Promise<AppliedSection> {
    principal.require('templates:write');
    const { document } = await this.find(principal, id);
    const section = sectionIn(JSON.parse(document) as EmailDocument);
    const page = await this.sections.uses(principal.teamId, id, { limit: appliedAtOnce, after });
    const updated: SectionUse[] = [];
    const skipped: SectionUse[] = [];
    for (const use of page.items) {
      try {
        const { content, document: before } = await this.contents.read(principal, use);
        const next = withSection(before, id, section);
        if (next === undefined || content.origin.contentSource !== 'editor') continue;
        if (content.isEditable) {
          await this.contents.replace(principal, use, next, { base: content.origin.contentRevision, keeps: 'all' });
          updated.push(use);
        } else skipped.push(use);
      } catch (error) {
        // One draft that cannot have the section must not keep it from those that come after it. What may pass is no such.
        if (!(error instanceof DomainError) || error.kind === 'unavailable' || error.kind === 'limited') throw error;
        skipped.push(use);
      }
    }
    return { updated, skipped, next: page.hasMore ? (page.items.at(-1)?.id ?? null) : null };
  }

  private async checked(teamId: string, given: unknown): Promise<string> {
    const { document } = await this.composer.check(teamId, given);
    const section = sectionIn(JSON.parse(document) as EmailDocument);
    return JSON.stringify({ type: 'doc', content: [section] });
  }
}
