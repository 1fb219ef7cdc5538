import type { ParsedDocument } from '../document/parse-document.js';
import { HtmlBlocks } from './html-blocks.js';
import { htmlTree } from './html-tree.js';
import { importedDocument } from './imported-document.js';

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
    while (blocks.length === 1 && blocks[0]?.type === 'section') blocks = [...(blocks[0].content ?? [])];
    const { attrs, previewText, notes } = reader;
    return { blocks, attrs, previewText, notes };
  });
}
