import { TemplateVersion } from './template.js';

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
