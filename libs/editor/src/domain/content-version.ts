import type { Actor } from '#identity';
import type { ContentRef } from './content-ref.js';

/** A content as it once was. Those without a name are made while somebody writes. */
export interface ContentVersion {
  readonly id: string;
  readonly teamId: string;
  readonly ref: ContentRef;
  readonly name: string | null;
  readonly content: VersionContent;
  readonly createdAt: Date;
  /** When the last change was added to it. */
  readonly updatedAt: Date;
  readonly actor: Actor;
}

export type VersionContent =
  | { readonly kind: 'editor'; readonly document: string }
  | { readonly kind: 'html'; readonly html: string; readonly text: string | null };

export type VersionSummary = Omit<ContentVersion, 'content' | 'teamId'> & { readonly kind: VersionContent['kind'] };

/** Changes of one author within this time are one version. */
export const versionSpanMs = 10 * 60_000;
/** Of one content. Versions with a name do not count. */
export const maxUnnamedVersions = 60;
export const maxNamedVersions = 100;
export const maxVersionNameLength = 120;
