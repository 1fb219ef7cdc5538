import { MergeTemplate, MergeValue, MergeValues, ValidationError } from '#kernel';
import { DraftAttachment } from './draft-attachment.js';
import { Attachment } from './email.js';

/** Content that many emails share. Texts may have merge tags. Callers must not change the object while it is used. */
export interface SharedContent {
  readonly html?: string;
  readonly text?: string;
  readonly attachments?: readonly DraftAttachment[];
}

/** Shared content as it is stored for one day. */
export interface StoredContent {
  readonly id: string;
  readonly attachments: readonly Attachment[] | null;
}

/**
 * Limit of the html and text of one email together, in bytes, as shared and as rendered. It is limited because personal
 * content is rendered in memory.
 */
export const maxSharedBodyBytes = 2 * 1024 * 1024;
export const maxMergeValues = 100;
/** Limit of the characters of names and values together. */
export const maxMergeLength = 16_000;

/** The compiled texts of shared content. */
export class PersonalBody {
  private readonly html: MergeTemplate | null;
  private readonly text: MergeTemplate | null;
  private names: ReadonlySet<string> | undefined;

  /** @param only names of tags. If set, other tags stay unchanged. */
  constructor(body: { readonly html: string | null; readonly text: string | null }, only?: ReadonlySet<string>) {
    this.html = body.html === null ? null : new MergeTemplate(body.html, 'html', only);
    this.text = body.text === null ? null : new MergeTemplate(body.text, 'text', only);
  }

  /** The names of all tags of the texts. */
  get tagNames(): ReadonlySet<string> {
    this.names ??= new Set([this.html, this.text].flatMap((template) => template?.tags.map(({ name }) => name) ?? []));
    return this.names;
  }

  /** Whether one of the texts has a tag with one of these names. */
  uses(names: ReadonlySet<string>): boolean {
    return [this.html, this.text].some((template) => template?.tags.some(({ name }) => names.has(name)));
  }

  /** Renders the texts for one recipient. Delivery and the API use the same result. */
  render(values: MergeValues): { readonly html: string | null; readonly text: string | null } {
    return { html: this.html?.render(values) ?? null, text: this.text?.render(values) ?? null };
  }

  renderedBytes(values: MergeValues): number {
    return (this.html?.renderedBytes(values) ?? 0) + (this.text?.renderedBytes(values) ?? 0);
  }
}

/** Renders the subject of one recipient. */
export function personalSubject(subject: MergeTemplate, values: MergeValues, maxLength: number): string {
  return subject.render(values, maxLength).toWellFormed();
}

export function textOfValue(value: MergeValue): string {
  return typeof value === 'string' ? value : value.value;
}

export function checkMergeValues(values: MergeValues): void {
  const entries = Object.entries(values);
  if (entries.length > maxMergeValues) {
    throw new ValidationError(`An email may have at most ${maxMergeValues} merge values.`);
  }
  if (entries.reduce((sum, [name, value]) => sum + name.length + textOfValue(value).length, 0) > maxMergeLength) {
    throw new ValidationError(`The merge values of an email are longer than ${maxMergeLength} characters.`);
  }
}
