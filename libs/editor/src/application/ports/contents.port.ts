import { Page, PageRequest } from '#kernel';
import type { Actor } from '#identity';
import { ContentRef, ContentVersion, Cursor, Presence, VersionSummary } from '../../domain/content.js';

/** A content without its words. */
export interface ContentState {
  /** With the id, also where the alias was asked for. */
  readonly ref: ContentRef;
  readonly revision: number;
  readonly isEditable: boolean;
}

/** How far contents are: open tabs ask for it again and again, so that the words, up to 2 MB, are not read. */
export abstract class ContentStates {
  /** Undefined if the team has none with this id. */
  abstract find(teamId: string, ref: ContentRef): Promise<ContentState | undefined>;
}

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

export interface Arrival {
  readonly teamId: string;
  readonly ref: ContentRef;
  readonly clientId: string;
  readonly name: string;
  readonly kind: Presence['kind'];
  readonly actor: Actor;
  readonly isWriting: boolean;
  readonly cursor: Cursor | null;
}

/** Who has which content open, in all processes. References have ids, no aliases. */
export abstract class PresenceBoard {
  /** Notes that somebody is there from now for `forMs`, and returns who is, in the order of their arrival. */
  abstract arrive(arrival: Arrival, forMs: number): Promise<readonly Presence[]>;

  abstract leave(teamId: string, ref: ContentRef, clientId: string): Promise<void>;

  abstract list(teamId: string, ref: ContentRef): Promise<readonly Presence[]>;
}
