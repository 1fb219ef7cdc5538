import { storableText, ValidationError } from '#kernel';
import type { Attributes, DocumentNode } from '../document/document-node.js';
import { ParsedDocument, parseDocument } from '../document/parse-document.js';
import { HtmlBlocks } from './html-blocks.js';
import { htmlTree } from './html-tree.js';

export const maxImportedBytes = 1024 * 1024;
const maxNotes = 20;

export const importFormats = ['html', 'mjml'] as const;
export type ImportFormat = (typeof importFormats)[number];

/** Merge tags of Mailchimp, from which most people who import come. */
const mailchimpTag = /\*\|([A-Z][A-Z0-9_:]{0,60})\|\*/g;
const mailchimpTags: Readonly<Record<string, string>> = {
  FNAME: 'FIRST_NAME',
  LNAME: 'LAST_NAME',
  EMAIL: 'EMAIL',
  UNSUB: 'RESEND_UNSUBSCRIBE_URL',
  UPDATE_PROFILE: 'RESEND_UNSUBSCRIBE_URL',
};
const maxNamed = 10;
const templateLogic = /\{\{\{?\s*(?:[#/^]|else\b)|\{%/;

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
  const foreign = new Set<string>();
  const ours = storableText(text).replace(mailchimpTag, (tag, name: string) => {
    const known = mailchimpTags[name];
    if (known === undefined) foreign.add(tag);
    return known === undefined ? tag : `{{{${known}}}}`;
  });
  const { blocks, attrs, previewText, notes: made } = understand(ours);
  const notes = [...made];
  // Of MJML, blocks are made of it where that is possible.
  if (templateLogic.test(format === 'html' ? ours : JSON.stringify(blocks))) {
    notes.push('Template logic such as `{{#if}}` is kept as text or left out: use a condition block.');
  }
  if (foreign.size > 0) {
    const some = [...foreign].slice(0, maxNamed).map((tag) => `\`${tag}\``);
    notes.push(`Tags of Mailchimp that have no counterpart are kept as text or left out: ${some.join(', ')}.`);
  }
  if (blocks.length === 0) throw new ValidationError(`There is nothing in the \`${format}\` that an email could show.`);
  const preview = previewText === '' ? [] : [{ type: 'previewText', attrs: { text: previewText } }];
  const parsed = parseDocument({ type: 'doc', attrs, content: [...preview, ...blocks] });
  return { document: parsed.document, notes: [...notes, ...parsed.notes].slice(0, maxNotes) };
}

export function importTooLarge(format: ImportFormat): ValidationError {
  return new ValidationError(`The \`${format}\` may have at most ${maxImportedBytes} bytes.`);
}

/**
 * Html of another program as a document: what is understood becomes blocks in the styles of the team, and what is not stays html.
 * Throws ValidationError if there is too much of it, or nothing. Linear in the length of the html.
 */
export function importHtml(html: string): ParsedDocument {
  return importedDocument('html', html, (text) => {
    const root = htmlTree(text);
    const reader = new HtmlBlocks(text, root);
    let blocks = reader.blocks(root.children, 0, undefined);
    // The background of the whole page comes from the styles.
    while (blocks.length === 1 && blocks[0]?.type === 'section') {
      if (blocks[0].attrs?.image !== undefined)
        reader.notes.add('The background image of the whole page was left out.');
      blocks = [...(blocks[0].content ?? [])];
    }
    const { attrs, previewText, notes } = reader;
    return { blocks, attrs, previewText, notes };
  });
}
