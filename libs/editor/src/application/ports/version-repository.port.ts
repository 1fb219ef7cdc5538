import { Page, PageRequest } from '#kernel';
import { ContentRef } from '../../domain/content-ref.js';
import { ContentVersion, VersionSummary } from '../../domain/content-version.js';

/** Stores what contents were before. References have ids, no aliases. */
export abstract class VersionRepository {
  /**
   * Adds a version, or brings the last one of this actor up to date, which was begun at most `versionSpanMs` before. It is left as
   * it is if it, or one that came after it, is closed, has a name or is of another kind. Removes unnamed versions beyond
   * `maxUnnamedVersions`, the oldest first.
   */
  abstract record(version: ContentVersion): Promise<void>;

  /** Adds a version to which nothing is added. If the newest one has the same content, that one is closed instead. */
  abstract close(version: ContentVersion): Promise<void>;

  /** Adds a version with a name. False if the content has `maxNamedVersions`. Removes unnamed versions as `record` does. */
  abstract add(version: ContentVersion): Promise<boolean>;

  /** Newest first. */
  abstract list(teamId: string, ref: ContentRef, page: PageRequest): Promise<Page<VersionSummary>>;

  abstract find(teamId: string, id: string): Promise<ContentVersion | undefined>;

  /** False if it is not there, or has no name and the content has `maxNamedVersions` with one. */
  abstract rename(teamId: string, id: string, name: string | null): Promise<boolean>;
}
