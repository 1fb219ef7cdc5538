import { Page, PageRequest } from '#kernel';
import type { SavedSection, SectionUse } from '../../domain/saved-section.js';
import { GivenStyles } from '../../domain/styles/team-styles.js';

/** Stores the sections of teams, and finds the drafts that have copies of them. */
export abstract class SectionRepository {
  /** False if the team has `maxSections`. */
  abstract add(section: SavedSection): Promise<boolean>;

  /** Newest first. */
  abstract list(teamId: string, page: PageRequest): Promise<Page<SavedSection>>;

  abstract find(teamId: string, id: string): Promise<SavedSection | undefined>;

  /** Undefined if it is not there. */
  abstract change(
    teamId: string,
    id: string,
    changes: Partial<Pick<SavedSection, 'name' | 'document'>>,
    now: Date,
  ): Promise<SavedSection | undefined>;

  /** False if it is not there. Copies in documents stay. */
  abstract remove(teamId: string, id: string): Promise<boolean>;

  /** Drafts and scheduled broadcasts, and the latest versions of templates, newest first. */
  abstract uses(teamId: string, id: string, page: PageRequest): Promise<Page<SectionUse>>;
}

/** The styles that teams have set. */
export abstract class StyleRepository {
  abstract find(teamId: string): Promise<GivenStyles>;

  abstract save(teamId: string, styles: GivenStyles, now: Date): Promise<void>;
}
