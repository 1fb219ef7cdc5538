import { ValidationError } from '#kernel';
import { DraftAttachment } from './draft-attachment.js';
import { Attachment } from './email.js';
import { MergeTemplate, MergeValues } from './merge-tags.js';

/** Content that many emails have in common. Texts may have merge tags. The object is not changed while it is in use. */
export interface SharedContent {
  readonly html?: string;
  readonly text?: string;
  readonly attachments?: readonly DraftAttachment[];
}

/** Shared content as it is stored, of one day. */
export interface StoredContent {
  readonly id: string;
  readonly attachments: readonly Attachment[] | null;
}

/** Bytes of the html and the text of one email together, as shared and as rendered. Personal content is rendered in memory. */
export const maxSharedBodyBytes = 2 * 1024 * 1024;
export const maxMergeValues = 100;
/** Characters of names and values together. */
export const maxMergeLength = 16_000;

/** The texts of shared content, ready to be made personal. */
export class PersonalBody {
  private readonly html: MergeTemplate | null;
  private readonly text: MergeTemplate | null;

  constructor(body: { readonly html: string | null; readonly text: string | null }) {
    this.html = body.html === null ? null : new MergeTemplate(body.html, 'html');
    this.text = body.text === null ? null : new MergeTemplate(body.text, 'text');
  }

  /** What this person gets: the same in delivery and in the API. */
  render(values: MergeValues): { readonly html: string | null; readonly text: string | null } {
    return { html: this.html?.render(values) ?? null, text: this.text?.render(values) ?? null };
  }

  renderedBytes(values: MergeValues): number {
    return (this.html?.renderedBytes(values) ?? 0) + (this.text?.renderedBytes(values) ?? 0);
  }
}

/** A subject is one line, whatever a value has. */
export function personalSubject(subject: MergeTemplate, values: MergeValues, maxLength: number): string {
  return subject
    .render(values)
    .replace(/[\u0000-\u001f\u007f]+/g, ' ')
    .slice(0, maxLength)
    .toWellFormed();
}

export function checkMergeValues(values: MergeValues): void {
  const entries = Object.entries(values);
  if (entries.length > maxMergeValues) {
    throw new ValidationError(`An email may have at most ${maxMergeValues} merge values.`);
  }
  if (entries.reduce((sum, [name, value]) => sum + name.length + value.length, 0) > maxMergeLength) {
    throw new ValidationError(`The merge values of an email are longer than ${maxMergeLength} characters.`);
  }
}
