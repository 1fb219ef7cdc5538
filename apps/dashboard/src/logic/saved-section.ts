import { withoutNulls, type JsonNode } from './document-json.js';

/** The blocks as one section: a section alone stays what it is, and what it was a copy of is left out. */
export function asSection(blocks: readonly JsonNode[]): JsonNode {
  const [first] = blocks;
  const section = blocks.length === 1 && first?.type === 'section' ? first : { type: 'section', content: blocks };
  return withoutReference(withoutNulls(section));
}

/** The section as it stands in a document. */
export function copyOf(section: JsonNode, id: string): JsonNode {
  return { ...section, attrs: { ...section.attrs, savedId: id } };
}

/** Whether a copy has what the saved section has. The space below belongs to the document. */
export function isSameSection(copy: JsonNode, saved: JsonNode): boolean {
  const plain = (node: JsonNode): string => {
    const { space: _, ...attrs } = node.attrs ?? {};
    return JSON.stringify(sorted(withoutReference(withoutNulls({ ...node, attrs }))));
  };
  return plain(copy) === plain(saved);
}

function withoutReference(node: JsonNode): JsonNode {
  const { savedId: _, ...attrs } = node.attrs ?? {};
  const { attrs: _attrs, ...rest } = node;
  return {
    ...rest,
    ...(Object.keys(attrs).length === 0 ? {} : { attrs }),
    ...(node.content === undefined ? {} : { content: node.content.map(withoutReference) }),
  };
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, each]) => [name, sorted(each)]),
  );
}
