import { MissingFieldError, ValidationError } from '#kernel';
import type { Actor } from '#identity';

export const resourceTypes = ['broadcast', 'template'] as const;
export type ResourceType = (typeof resourceTypes)[number];

/** What a document is the content of. The id of a template may be its alias. */
export interface ContentRef {
  readonly type: ResourceType;
  readonly id: string;
}

const maxIdLength = 128;

/** Reads `resource_type` and `resource_id` of a body or a query. */
export function parseContentRef(given: Readonly<Record<string, unknown>>): ContentRef {
  const { resource_type: type, resource_id: id } = given;
  if (type === undefined || type === '') throw new MissingFieldError('resource_type');
  if (id === undefined || id === '') throw new MissingFieldError('resource_id');
  const known = resourceTypes.find((name) => name === type);
  if (known === undefined) throw new ValidationError('The `resource_type` must be `broadcast` or `template`.');
  if (typeof id !== 'string' || id.length > maxIdLength || id.includes('\0')) {
    throw new ValidationError('The `resource_id` must be the id of a broadcast, or the id or alias of a template.');
  }
  return { type: known, id };
}

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

/** Somebody who has the content open: a person in a tab, or a program. */
export interface Presence {
  /** Of a tab, chosen by it; of a program, made from its key and its name. */
  readonly clientId: string;
  readonly name: string;
  readonly kind: 'person' | 'agent';
  /** Whether it may write. Programs do so without being asked: what they write is seen by its revision. */
  readonly isWriting: boolean;
  /** Where its caret is, and what it has chosen; null if it told nothing. */
  readonly cursor: Cursor | null;
  readonly seenAt: Date;
}

/** Positions in the document as that tab has it, as ProseMirror counts them. */
export interface Cursor {
  readonly anchor: number;
  readonly head: number;
}

/** A tab tells of itself every ten seconds. */
export const tabForMs = 30_000;
export const agentForMs = 5 * 60_000;
export const maxPresences = 20;
