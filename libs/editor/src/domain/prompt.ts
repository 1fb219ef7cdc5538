import { maxDocumentBytes, maxNodeDepth, maxNodes } from './document/document-node.js';
import { ContentKind, documentAttributes, markTypes, NodeType, nodeTypes } from './document/schema.js';

const contents: Readonly<Record<ContentKind, string>> = {
  none: 'no content',
  blocks: 'content: blocks',
  inline: 'content: text, hardBreak, variable',
  text: 'content: text without marks',
  items: 'content: listItem',
  columns: 'content: columnsColumn',
  rows: 'content: tableRow',
  cells: 'content: tableCell, tableHeader',
};

const example = {
  type: 'doc',
  content: [
    { type: 'logo' },
    { type: 'heading', attrs: { level: 1 }, content: [{ type: 'text', text: 'Your invoice is ready' }] },
    {
      type: 'paragraph',
      content: [
        { type: 'text', text: 'Hello ' },
        { type: 'variable', attrs: { name: 'contact.first_name', fallback: 'there' } },
        { type: 'text', text: ', thank you for your order. ' },
        { type: 'text', text: 'See it here', marks: [{ type: 'link', attrs: { href: 'https://example.com' } }] },
        { type: 'text', text: '.' },
      ],
    },
    {
      type: 'button',
      attrs: { href: 'https://example.com/invoice', alignment: 'left' },
      content: [{ type: 'text', text: 'Open the invoice' }],
    },
    { type: 'footer' },
  ],
};

/** Changes when documents take something else. */
export const promptVersion = '1.0.0';

/** What a program must know to write documents: every node and mark that is rendered, and nothing else. */
export function schemaPrompt(): string {
  const attributesOf = (attrs: NodeType['attrs']): string =>
    Object.entries(attrs)
      .map(([name, { form }]) => `\n  - ${name}: ${form}`)
      .join('');
  const nodes = Object.entries(nodeTypes).map(
    ([name, { about, content, attrs }]) => `- ${name} (${contents[content]}): ${about}${attributesOf(attrs)}`,
  );
  const marks = Object.entries(markTypes).map(
    ([name, { about, attrs }]) => `- ${name}: ${about}${attributesOf(attrs)}`,
  );
  return `# Documents of emails

The content of a broadcast or a template is a TipTap (ProseMirror) JSON document. It is rendered to html for all mail programs, and to plain
text, by the service. Start from the existing content and send the whole document. Unknown nodes and marks are refused with 422, which
names them. Attributes that are left out are as the styles of the team say: prefer that to colors and sizes of your own.

## Rules

- The root is {"type": "doc", "content": [blocks]}. At most ${maxNodes} nodes, ${maxNodeDepth} levels, ${maxDocumentBytes} bytes.
- Text is {"type": "text", "text": "…", "marks": [{"type": "bold"}]}, and not empty.
- Blocks may stand wherever blocks may: at the top, in sections, columns, list items, quotes, cells, conditionals, repeats and the footer.
- A value of the reader is a variable node, or a tag in a text: {{{contact.first_name|there}}}. Give a fallback.
- One heading of level 1. Short paragraphs. One main button. An alt for each image that says something.
- Links begin with https:, http:, mailto:, tel: or sms:. Images need an address on the web; base64 is refused.
- End with a footer. In a broadcast it has the link to unsubscribe.

## Attributes of the document
${attributesOf(documentAttributes).replaceAll('\n  ', '\n')}

## Nodes

${nodes.join('\n')}

## Marks

${marks.join('\n')}

## Example

${JSON.stringify(example, null, 2)}
`;
}
