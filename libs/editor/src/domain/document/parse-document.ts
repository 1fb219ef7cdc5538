import { DomainError, sectionsOf, storableText, ValidationError } from '#kernel';
import { Notes, readAttributes, Refused, stringOf } from './attribute.js';
import {
  Attributes,
  DocumentMark,
  DocumentNode,
  EmailDocument,
  maxDocumentBytes,
  maxNodeDepth,
  maxNodes,
  splitVariables,
} from './document-node.js';
import {
  blockTypes,
  columnCounts,
  ContentKind,
  documentAttributes,
  inlineTypes,
  markTypes,
  nodeTypes,
  partTypes,
} from './schema.js';

export class DocumentTooLargeError extends DomainError {
  constructor() {
    super('too_large', 'validation_error', `The \`content\` has more than ${maxDocumentBytes} bytes.`);
  }
}

export interface ParsedDocument {
  readonly document: EmailDocument;
  /** What was left out of it, in words. */
  readonly notes: readonly string[];
}

const maxNotes = 20;
const maxMarks = 12;

/**
 * Checks a document of a client and brings it into the one form in which it is stored: attributes that are as usual are absent, text
 * directly among blocks is a paragraph, tags in texts are variables. The result is taken again without a change.
 *
 * Throws ValidationError that names the node. Linear in the size of the document, whose depth and number of nodes are bounded.
 */
export function parseDocument(given: unknown): ParsedDocument {
  const parser = new DocumentParser();
  const document = parser.document(given);
  if (Buffer.byteLength(JSON.stringify(document)) > maxDocumentBytes) throw new DocumentTooLargeError();
  return { document, notes: [...parser.notes] };
}

class DocumentParser {
  readonly notes = new Set<string>();
  private nodes = 0;
  private repeats = 0;
  private conditions = 0;
  private readonly note: Notes = (text) => void (this.notes.size < maxNotes && this.notes.add(text));

  document(given: unknown): EmailDocument {
    if (typeof given !== 'object' || given === null || Array.isArray(given)) {
      throw new ValidationError('The `content` must be a document: `{"type": "doc", "content": [...]}`.');
    }
    const { type, content, attrs } = given as Readonly<Record<string, unknown>>;
    if (type !== 'doc') throw new ValidationError('The `type` of the `content` must be `doc`.');
    const read = this.attributes('doc', documentAttributes, attrs);
    const blocks = this.blocks('doc', listOf('doc', content), 1);
    return { type: 'doc', ...(Object.keys(read).length === 0 ? {} : { attrs: read }), content: blocks };
  }

  private node(given: unknown, parent: string, depth: number): DocumentNode {
    const { type, node } = this.begun(given, parent, depth);
    const known = Object.hasOwn(nodeTypes, type) ? nodeTypes[type] : undefined;
    if (known === undefined) throw unknownNode(type);
    const attrs = this.attributes(type, known.attrs, node.attrs);
    this.enter(type, 1);
    const content = this.content(type, known.content, node.content, depth);
    this.enter(type, -1);
    if (type === 'html') this.checkSections(attrs);
    return {
      type,
      ...(Object.keys(attrs).length === 0 ? {} : { attrs }),
      ...(content === undefined || content.length === 0 ? {} : { content }),
    };
  }

  private begun(
    given: unknown,
    parent: string,
    depth: number,
  ): { type: string; node: Readonly<Record<string, unknown>> } {
    if (typeof given !== 'object' || given === null || Array.isArray(given)) {
      throw new ValidationError(`The \`content\` of \`${parent}\` must be a list of nodes with a \`type\`.`);
    }
    this.count(1);
    if (depth > maxNodeDepth) throw new ValidationError(`The \`content\` may be at most ${maxNodeDepth} nodes deep.`);
    const node = given as Readonly<Record<string, unknown>>;
    if (typeof node.type !== 'string') throw new ValidationError(`A node in \`${parent}\` has no \`type\`.`);
    return { type: node.type, node };
  }

  /** Nodes that are added to a document count as well: it is checked again as it is stored. */
  private count(nodes: number): void {
    this.nodes += nodes;
    if (this.nodes > maxNodes) throw new ValidationError(`The \`content\` may have at most ${maxNodes} nodes.`);
  }

  /** The merge language knows no list in a list, and a bounded depth of conditions. */
  private enter(type: string, step: 1 | -1): void {
    if (type === 'repeat' && (this.repeats += step) > 1)
      throw new ValidationError('A `repeat` cannot stand in a `repeat`.');
    if (type === 'conditional' && (this.conditions += step) > 4) {
      throw new ValidationError('A `conditional` may be at most 4 deep.');
    }
  }

  private content(type: string, kind: ContentKind, given: unknown, depth: number): readonly DocumentNode[] | undefined {
    const items = listOf(type, given);
    switch (kind) {
      case 'none':
        if (items.length > 0) this.note(`The content of \`${type}\` was left out.`);
        return undefined;
      case 'inline':
        return this.inline(type, items, depth + 1, true);
      case 'text':
        return this.inline(type, items, depth + 1, false);
      case 'blocks': {
        const blocks = this.blocks(type, items, depth + 1);
        if (blocks.length > 0 || type === 'footer') return blocks;
        this.count(1);
        return [{ type: 'paragraph' }];
      }
      case 'columns':
        return this.columns(type, items, depth);
      default: {
        const names = partTypes[kind] ?? [];
        return items.map((item) => this.part(type, names, item, depth + 1));
      }
    }
  }

  private columns(type: string, items: readonly unknown[], depth: number): readonly DocumentNode[] {
    const count = columnCounts[type] as number;
    if (items.length > count) throw new ValidationError(`A \`${type}\` must have exactly ${count} \`columnsColumn\`.`);
    const given = items.map((item) => this.part(type, partTypes.columns ?? [], item, depth + 1));
    this.count(2 * (count - given.length));
    const empty: DocumentNode = { type: 'columnsColumn', content: [{ type: 'paragraph' }] };
    return [...given, ...Array<DocumentNode>(count - given.length).fill(empty)];
  }

  private part(parent: string, names: readonly string[], given: unknown, depth: number): DocumentNode {
    const type = (given as { type?: unknown } | null | undefined)?.type;
    if (typeof type === 'string' && Object.hasOwn(nodeTypes, type) && !names.includes(type))
      throw misplaced(type, parent);
    return this.node(given, parent, depth);
  }

  /** Text that stands directly among blocks becomes a paragraph. */
  private blocks(parent: string, items: readonly unknown[], depth: number): readonly DocumentNode[] {
    const blocks: DocumentNode[] = [];
    for (let at = 0; at < items.length; at++) {
      const from = at;
      while (at < items.length && inlineTypes.has(typeOf(items[at]) ?? '')) at++;
      if (at > from) {
        const content = this.inline('paragraph', items.slice(from, at), depth + 1, true);
        if (content.length > 0) {
          this.count(1);
          blocks.push({ type: 'paragraph', content });
        }
        at--;
        continue;
      }
      const type = typeOf(items[at]);
      if (type !== undefined && Object.hasOwn(nodeTypes, type) && !blockTypes.has(type)) throw misplaced(type, parent);
      blocks.push(this.node(items[at], parent, depth));
    }
    return blocks;
  }

  private inline(parent: string, items: readonly unknown[], depth: number, isRich: boolean): readonly DocumentNode[] {
    const nodes: DocumentNode[] = [];
    for (const item of items) {
      const { type, node } = this.begun(item, parent, depth);
      if (!inlineTypes.has(type)) throw Object.hasOwn(nodeTypes, type) ? misplaced(type, parent) : unknownNode(type);
      const marks = isRich ? this.marks(node.marks) : [];
      if (type === 'text') {
        const text = textOf(parent, node);
        if (text !== '') nodes.push(withMarks({ type, text }, marks));
      } else if (!isRich) {
        nodes.push({ type: 'text', text: type === 'hardBreak' ? '\n' : tagOf(node.attrs) });
      } else {
        const attrs = this.attributes(type, nodeTypes[type]?.attrs ?? {}, node.attrs);
        if (type === 'variable') checkVariable(attrs);
        const kept = Object.keys(attrs).length === 0 ? { type } : { type, attrs };
        nodes.push(withMarks(kept, marks));
      }
    }
    // Joined first: a tag may stand in two texts.
    return isRich ? joined(nodes).flatMap((node) => this.withVariables(node)) : joined(nodes);
  }

  private withVariables(node: DocumentNode): readonly DocumentNode[] {
    if (node.text === undefined || !node.text.includes('{{{')) return [node];
    const pieces = splitVariables(node.text);
    this.count(pieces.length - 1);
    return pieces.map((piece) => withMarks(piece, node.marks ?? []));
  }

  private marks(given: unknown): readonly DocumentMark[] {
    if (given === undefined || given === null) return [];
    if (!Array.isArray(given) || given.length > maxMarks) {
      throw new ValidationError(`The \`marks\` of a text must be a list of at most ${maxMarks} marks.`);
    }
    const marks = new Map<string, DocumentMark>();
    for (const mark of given as readonly unknown[]) {
      const { type, attrs } = (typeof mark === 'object' && mark !== null ? mark : {}) as Readonly<
        Record<string, unknown>
      >;
      const known = typeof type === 'string' && Object.hasOwn(markTypes, type) ? markTypes[type] : undefined;
      if (known === undefined) throw new ValidationError(`The mark \`${nameOf(type)}\` is not known.`);
      const read = this.attributes(type as string, known.attrs, attrs);
      const hasNothing = Object.keys(read).length === 0;
      if (hasNothing && Object.keys(known.attrs).length > 0) continue;
      marks.set(type as string, hasNothing ? { type: type as string } : { type: type as string, attrs: read });
    }
    return Object.keys(markTypes).flatMap((name) => marks.get(name) ?? []);
  }

  private attributes(type: string, known: Parameters<typeof readAttributes>[0], given: unknown): Attributes {
    if (given === undefined || given === null) return {};
    if (typeof given !== 'object') throw new ValidationError(`The \`attrs\` of \`${nameOf(type)}\` must be an object.`);
    try {
      return readAttributes(known, given as Readonly<Record<string, unknown>>, this.note);
    } catch (error) {
      if (error instanceof Refused) throw new ValidationError(`In \`${type}\`, ${error.message}.`);
      throw error;
    }
  }

  /** One section that is not valid would keep all conditions of the email from being read. */
  private checkSections({ html }: Attributes): void {
    if (
      typeof html !== 'string' ||
      !/\{\{[ \t]{0,9}(?:#|\/if|\/each|else\b)/.test(html) ||
      sectionsOf(html) !== undefined
    )
      return;
    throw new ValidationError(
      'In `html`, a condition or a list is not valid: `{{#if contact.plan eq "pro"}}…{{/if}}`.',
    );
  }
}

function listOf(parent: string, given: unknown): readonly unknown[] {
  if (given === undefined || given === null) return [];
  if (Array.isArray(given)) return given;
  throw new ValidationError(`The \`content\` of \`${parent}\` must be a list.`);
}

function typeOf(given: unknown): string | undefined {
  const type = (given as { type?: unknown } | null | undefined)?.type;
  return typeof type === 'string' ? type : undefined;
}

function nameOf(type: unknown): string {
  return typeof type === 'string' ? type.slice(0, 60).replaceAll('`', "'") : '';
}

function unknownNode(type: string): ValidationError {
  return new ValidationError(`The node \`${nameOf(type)}\` is not known.`);
}

function misplaced(type: string, parent: string): ValidationError {
  return new ValidationError(`A \`${nameOf(type)}\` cannot stand in \`${parent}\`.`);
}

function checkVariable({ name, fallback }: Attributes): void {
  if (typeof name !== 'string' || !/^\w[\w.]*$/.test(name)) {
    throw new ValidationError('In `variable`, the `name` must have letters (A-Z), digits, underscores and dots.');
  }
  if (typeof fallback === 'string' && /[{}]/.test(fallback)) {
    throw new ValidationError('In `variable`, the `fallback` must not have braces.');
  }
}

function textOf(parent: string, { text }: Readonly<Record<string, unknown>>): string {
  const given = stringOf(text);
  if (given === undefined) throw new ValidationError(`A \`text\` in \`${parent}\` needs a \`text\`.`);
  return storableText(given);
}

function tagOf(attrs: unknown): string {
  const { name, id } = (attrs ?? {}) as { readonly name?: unknown; readonly id?: unknown };
  return `{{{${storableText(nameOf(name ?? id))}}}}`;
}

function withMarks(node: DocumentNode, marks: readonly DocumentMark[]): DocumentNode {
  return marks.length === 0 ? node : { ...node, marks };
}

/** Neighbouring texts with the same marks are one, as editors write them. */
function joined(nodes: readonly DocumentNode[]): readonly DocumentNode[] {
  const result: DocumentNode[] = [];
  for (const node of nodes) {
    const last = result.at(-1);
    if (last?.type === 'text' && node.type === 'text' && JSON.stringify(last.marks) === JSON.stringify(node.marks)) {
      result[result.length - 1] = { ...last, text: `${last.text ?? ''}${node.text ?? ''}` };
    } else result.push(node);
  }
  return result;
}
