/** A node of a document in JSON, as the editor and the API have it. */
export interface JsonNode {
  readonly type: string;
  readonly attrs?: Readonly<Record<string, unknown>>;
  readonly content?: readonly JsonNode[];
  readonly marks?: readonly { readonly type: string; readonly attrs?: Readonly<Record<string, unknown>> }[];
  readonly text?: string;
}

/** The document as it is stored: attributes that are as usual are absent. */
export function withoutNulls(node: JsonNode): JsonNode {
  const attrs = present(node.attrs);
  const marks = node.marks?.map(({ type, attrs: own }) => {
    const kept = present(own);
    return kept === undefined ? { type } : { type, attrs: kept };
  });
  return {
    type: node.type,
    ...(attrs === undefined ? {} : { attrs }),
    ...(node.content === undefined || node.content.length === 0 ? {} : { content: node.content.map(withoutNulls) }),
    ...(marks === undefined || marks.length === 0 ? {} : { marks }),
    ...(node.text === undefined ? {} : { text: node.text }),
  };
}

function present(attrs: JsonNode['attrs']): JsonNode['attrs'] {
  const kept = Object.entries(attrs ?? {}).filter(([, value]) => value !== null && value !== undefined && value !== '');
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

/** Calls back for each node, the outer ones first. */
export function walk(node: JsonNode, visit: (node: JsonNode) => void): void {
  visit(node);
  for (const child of node.content ?? []) walk(child, visit);
}

/** The names of lists over which the document repeats something, and of variables outside of them. */
export function namesIn(document: JsonNode): {
  readonly lists: readonly string[];
  readonly variables: readonly string[];
} {
  const lists = new Set<string>();
  const variables = new Set<string>();
  walk(document, ({ type, attrs }) => {
    if (type === 'repeat' && typeof attrs?.list === 'string') lists.add(attrs.list);
    if (type === 'variable' && typeof attrs?.name === 'string') variables.add(attrs.name);
  });
  return { lists: [...lists], variables: [...variables] };
}

export function has(document: JsonNode, type: string): boolean {
  let found = false;
  walk(document, (node) => (found ||= node.type === type));
  return found;
}

/** The words that a reader sees, for the title of a version and for searches. */
export function textOf(node: JsonNode): string {
  if (node.text !== undefined) return node.text;
  return (node.content ?? []).map(textOf).join(node.type === 'paragraph' || node.type === 'heading' ? '' : ' ');
}
