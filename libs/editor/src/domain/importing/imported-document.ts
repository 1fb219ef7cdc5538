import { storableText, ValidationError } from '#kernel';
import type { Attributes, DocumentNode } from '../document/document-node.js';
import { parseDocument, ParsedDocument } from '../document/parse-document.js';

export const maxImportedBytes = 1024 * 1024;
const maxNotes = 20;

export const importFormats = ['html', 'mjml'] as const;
export type ImportFormat = (typeof importFormats)[number];

/** What was understood of a text. */
interface Understood {
  readonly blocks: readonly DocumentNode[];
  readonly attrs: Attributes;
  readonly previewText: string;
  readonly notes: Iterable<string>;
}

/** A text of another program as a document. Throws ValidationError if there is too much of it, or nothing. */
export function importedDocument(
  format: ImportFormat,
  text: string,
  understand: (text: string) => Understood,
): ParsedDocument {
  if (Buffer.byteLength(text) > maxImportedBytes) throw importTooLarge(format);
  const { blocks, attrs, previewText, notes } = understand(storableText(text));
  if (blocks.length === 0) throw new ValidationError(`There is nothing in the \`${format}\` that an email could show.`);
  const preview = previewText === '' ? [] : [{ type: 'previewText', attrs: { text: previewText } }];
  const parsed = parseDocument({ type: 'doc', attrs, content: [...preview, ...blocks] });
  return { document: parsed.document, notes: [...notes, ...parsed.notes].slice(0, maxNotes) };
}

export function importTooLarge(format: ImportFormat): ValidationError {
  return new ValidationError(`The \`${format}\` may have at most ${maxImportedBytes} bytes.`);
}
