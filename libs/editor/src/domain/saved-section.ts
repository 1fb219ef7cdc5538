import { storableText, ValidationError } from '#kernel';
import type { ContentRef } from './content.js';
import type { DocumentNode, EmailDocument } from './document/document-node.js';

/** Blocks that a team uses in many documents. Documents have a copy of it, which names it. */
export interface SavedSection {
  readonly id: string;
  readonly teamId: string;
  readonly name: string;
  /** JSON of a document with one `section`. */
  readonly document: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** A draft that has a copy of a section. */
export interface SectionUse {
  /** Of the broadcast or the template. */
  readonly id: string;
  readonly type: ContentRef['type'];
  readonly name: string;
}

export const maxSections = 200;
export const maxSectionBytes = 100 * 1024;
export const maxSectionNameLength = 120;

export class TooManySectionsError extends ValidationError {
  constructor() {
    super(`A team may have at most ${maxSections} saved sections.`);
  }
}

export function parseSectionName(name: string): string {
  const trimmed = storableText(name.trim());
  if (trimmed.length > 0 && trimmed.length <= maxSectionNameLength) return trimmed;
  throw new ValidationError(`The \`name\` of a section must have 1 to ${maxSectionNameLength} characters.`);
}

/**
 * The section that a checked document is: its only block if that is a section, otherwise one around all blocks. Sections in it are
 * copies that follow nothing any more, so that no section is part of another.
 */
export function sectionIn({ content }: EmailDocument): DocumentNode {
  const [first] = content;
  if (first === undefined) throw new ValidationError('A section needs at least one block.');
  if (content.some(({ type }) => type === 'footer')) {
    throw new ValidationError('A `footer` cannot be part of a section, because each document ends with its own.');
  }
  const section = content.length === 1 && first.type === 'section' ? first : { type: 'section', content };
  const node = withoutReferences(section);
  if (Buffer.byteLength(JSON.stringify(node)) > maxSectionBytes) {
    throw new ValidationError(`A section may have at most ${maxSectionBytes} bytes.`);
  }
  return node;
}

function withoutReferences(node: DocumentNode): DocumentNode {
  const { savedId, ...attrs } = node.attrs ?? {};
  const content = node.content?.map(withoutReferences);
  return {
    ...node,
    ...(savedId === undefined ? {} : { attrs: Object.keys(attrs).length === 0 ? undefined : attrs }),
    ...(content === undefined ? {} : { content }),
  };
}

/** The section as it stands in documents. */
export function referenced(section: DocumentNode, id: string): DocumentNode {
  return { ...section, attrs: { ...section.attrs, savedId: id } };
}

/** The document with this section in the place of each of its copies; undefined if that changes nothing. */
export function withSection(document: EmailDocument, id: string, section: DocumentNode): EmailDocument | undefined {
  const copy = referenced(section, id);
  const written = JSON.stringify(copy);
  let isChanged = false;
  const replaced = (node: DocumentNode): DocumentNode => {
    if (node.type === 'section' && node.attrs?.savedId === id) {
      // The space below belongs to the document.
      const { space } = node.attrs;
      const next = space === undefined ? copy : { ...copy, attrs: { ...copy.attrs, space } };
      isChanged ||= space === undefined ? !isSame(node, written) : !isSame(node, JSON.stringify(next));
      return next;
    }
    return node.content === undefined ? node : { ...node, content: node.content.map(replaced) };
  };
  const content = document.content.map(replaced);
  return isChanged ? { ...document, content } : undefined;
}

/** Attributes may stand in another order. */
function isSame(node: DocumentNode, written: string): boolean {
  return JSON.stringify(sorted(node)) === JSON.stringify(sorted(JSON.parse(written)));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, each]) => each !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, each]) => [name, sorted(each)]),
  );
}
