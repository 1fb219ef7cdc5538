import type { Actor } from '#identity';
import type { ContentOrigin } from '#kernel';
import { TemplateVariable } from './template-variable.js';

/** What a template sends: the fields of an email, with merge tags in `subject`, `html` and `text`. */
export interface TemplateContent {
  readonly from: string | null;
  readonly subject: string | null;
  readonly replyTo: readonly string[] | null;
  readonly html: string;
  /** Null: derived from the html of each email. */
  readonly text: string | null;
  readonly variables: readonly TemplateVariable[];
}

/** One version of the content. A published version never changes. */
export interface TemplateVersion extends TemplateContent, ContentOrigin {
  readonly id: string;
  readonly templateId: string;
  readonly createdAt: Date;
  /** Null: a draft. */
  readonly publishedAt: Date | null;
  /** The principal that wrote it last. */
  readonly actor: Actor;
}

/** A published version without its content. */
export type KeptVersion = Pick<TemplateVersion, 'id' | 'createdAt'> & { readonly publishedAt: Date };

/** A stored email content with a name. Name and alias are not part of a version: a change of them takes effect at once. */
export interface Template {
  readonly id: string;
  readonly teamId: string;
  readonly name: string;
  /** A name for programs, unique within the team. */
  readonly alias: string | null;
  /** The version that was written last: a draft, or the published one. */
  readonly currentVersionId: string;
  /** The version with which emails are sent. Null until the first one is published. */
  readonly publishedVersionId: string | null;
  readonly publishedAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** A template with the version that was written last. */
export interface CurrentTemplate {
  readonly template: Template;
  readonly version: TemplateVersion;
}

export function statusOf({ publishedVersionId }: Template): 'draft' | 'published' {
  return publishedVersionId === null ? 'draft' : 'published';
}

export function hasUnpublishedVersion({ currentVersionId, publishedVersionId }: Template): boolean {
  return currentVersionId !== publishedVersionId;
}

/** Limit of rendered html and text together, as for an email. */
export const maxPreviewBytes = 2 * 1024 * 1024;

/** What an email of a template would be. */
export interface TemplatePreview {
  readonly templateId: string;
  readonly version: TemplateVersion;
  readonly subject: string | null;
  readonly html: string;
  readonly text: string | null;
  /** Keys of the variables that have no value, as they are written in the template. */
  readonly missing: readonly string[];
}
