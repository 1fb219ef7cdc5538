import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  anyDocument,
  documentOf,
  everyBlock,
  headingOf,
  paragraphOf,
  variableOf,
  words,
} from '../../../../../test/support/builders/editor-documents.js';
import { parseDocument } from './parse-document.js';
import { blockTypes } from './schema.js';

const parsed = (...content: object[]): unknown => parseDocument(documentOf(...content)).document.content;
const nested = (depth: number): object =>
  depth === 0 ? paragraphOf('x') : { type: 'div', content: [nested(depth - 1)] };

describe('a document', () => {
  it('with every block is taken, and taken again without a change', () => {
    const { document, notes } = parseDocument(everyBlock());
    expect(notes).toEqual([]);
    expect(parseDocument(document)).toEqual({ document, notes: [] });
    const types = new Set([...JSON.stringify(document).matchAll(/"type":"(\w+)"/g)].map(([, type]) => type));
    const rare = ['container', 'body', 'div', 'previewText', 'globalContent'];
    expect([...blockTypes].filter((type) => !types.has(type) && !rare.includes(type))).toEqual([]);
  });

  it('of any shape is in its final form once it was read', () => {
    fc.assert(
      fc.property(anyDocument(), (given) => {
        const { document } = parseDocument(given);
        expect(parseDocument(JSON.parse(JSON.stringify(document)))).toEqual({ document, notes: [] });
      }),
      { numRuns: 300 },
    );
  });

  it('may have text among blocks, tags in texts, and other names of attributes', () => {
    expect(parsed(words('Hi {{{FIRST_NAME|there}}}'), headingOf(2, 'A'), words('b'))).toEqual([
      paragraphOf('Hi ', { type: 'variable', attrs: { name: 'FIRST_NAME', fallback: 'there' } }),
      headingOf(2, 'A'),
      paragraphOf('b'),
    ]);
    const image = {
      type: 'image',
      attrs: { src: 'acme.test/a.png', width: 'auto', height: 'auto', align: 'center', class: 'x' },
    };
    expect(parsed(image)).toEqual([{ type: 'image', attrs: { src: 'https://acme.test/a.png', alignment: 'center' } }]);
    const split = paragraphOf(words('{{'), words('{A}}}'));
    expect(parsed(split)).toEqual([paragraphOf({ type: 'variable', attrs: { name: 'A' } })]);
  });

  it.each(['{{\0}}', '{{a|\ud800}}', 'https://a.test/\ud800', 'https://a.test/{{a|\0}}', '#\udc00'])(
    'has no address that cannot be stored (%#)',
    (href) => {
      expect(() => parsed({ type: 'button', attrs: { href } })).toThrow('In `button`, the `href` must be a link');
    },
  );

  it('has no name of a variable in code that cannot be stored', () => {
    const code = (name: string): unknown =>
      parsed({ type: 'codeBlock', content: [{ type: 'variable', attrs: { name } }] });
    expect(code('a\0b\ud800')).toEqual(code('ab\ufffd'));
  });

  it('gets the columns that it lacks, and paragraphs in empty blocks', () => {
    expect(parsed({ type: 'twoColumns' }, { type: 'section', content: [] })).toMatchObject([
      { content: [{ type: 'columnsColumn', content: [{ type: 'paragraph' }] }, { type: 'columnsColumn' }] },
      { type: 'section', content: [{ type: 'paragraph' }] },
    ]);
  });

  it('says what was left out', () => {
    const { document, notes } = parseDocument(
      documentOf(
        { type: 'paragraph', attrs: { style: 'position:fixed;color:red;background:url(javascript:1)' } },
        { type: 'html', attrs: { html: '<p onclick="a()">x</p><script>1</script></table>' } },
      ),
    );
    expect(notes).toEqual([
      '`position` in a style was left out.',
      '`background` in a style was left out.',
      '`onclick` in html was left out.',
      '`<script>` in html was left out.',
    ]);
    expect(document.content).toEqual([
      { type: 'paragraph', attrs: { style: 'color:red' } },
      { type: 'html', attrs: { html: '<p>x</p>' } },
    ]);
  });

  it.each<[object | string, string]>([
    [documentOf({ type: 'marquee' }), 'The node `marquee` is not known.'],
    [documentOf({ type: '__proto__' }), 'The node `__proto__` is not known.'],
    [documentOf({ type: 'toString' }), 'The node `toString` is not known.'],
    [documentOf({}), 'A node in `doc` has no `type`.'],
    [documentOf({ type: 'listItem' }), 'A `listItem` cannot stand in `doc`.'],
    [documentOf(paragraphOf({ type: 'image' })), 'A `image` cannot stand in `paragraph`.'],
    [documentOf({ type: 'bulletList', content: [paragraphOf('x')] }), 'A `paragraph` cannot stand in `bulletList`.'],
    [
      documentOf({ type: 'twoColumns', content: Array(3).fill({ type: 'columnsColumn' }) }),
      'exactly 2 `columnsColumn`',
    ],
    [
      documentOf({ type: 'image', attrs: { src: 'data:image/png;base64,AA' } }),
      'In `image`, the `src` must be the address',
    ],
    [
      documentOf({ type: 'button', attrs: { href: 'java\nscript:alert(1)' } }),
      'In `button`, the `href` must be a link',
    ],
    [documentOf({ type: 'button', attrs: { href: 'JAVASCRIPT:alert(1)' } }), 'In `button`, the `href` must be a link'],
    [
      documentOf({ type: 'social', attrs: { links: [{ network: 'x', href: 'vbscript:1' }] } }),
      'the `links` the `href` must be',
    ],
    [
      documentOf({ type: 'section', attrs: { background: 'red;}body{x' } }),
      'In `section`, the `background` must be a color',
    ],
    [documentOf({ type: 'conditional', attrs: { rule: { type: 'x' } } }), 'In `conditional`, the `rule` is no rule'],
    [documentOf({ type: 'repeat', content: [{ type: 'repeat' }] }), 'A `repeat` cannot stand in a `repeat`.'],
    [documentOf(paragraphOf(variableOf('a b'))), 'In `variable`, the `name`'],
    [documentOf(paragraphOf(variableOf('a', 'x}}} {{{b'))), 'must not have braces'],
    [documentOf(paragraphOf(words('x', { type: 'blink' }))), 'The mark `blink` is not known.'],
    [documentOf({ type: 'html', attrs: { html: '{{#if x y}}a{{/if}}' } }), 'a condition or a list is not valid'],
    [documentOf(nested(30)), 'nodes deep'],
    [documentOf(...Array<object>(10_001).fill({ type: 'spacer' })), 'at most 10000 nodes'],
    [documentOf(...Array<object>(2_000).fill({ type: 'fourColumns' })), 'at most 10000 nodes'],
    [documentOf(paragraphOf('{{{a}}}'.repeat(10_000))), 'at most 10000 nodes'],
    [{ type: 'paragraph' }, 'The `type` of the `content` must be `doc`.'],
    ['text', 'The `content` must be a document'],
  ])('is refused: %j', (given, message) => {
    expect(() => parseDocument(given)).toThrow(message);
  });

  it('that is nested without end, or too large, is refused', () => {
    let deep: object = { type: 'div' };
    for (let depth = 0; depth < 100_000; depth++) deep = { type: 'div', content: [deep] };
    expect(() => parseDocument(documentOf(deep))).toThrow('nodes deep');
    const large = Array<object>(700).fill(paragraphOf('x'.repeat(1_600)));
    expect(() => parseDocument(documentOf(...large))).toThrow('bytes');
  });
});
