import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { sectionsOf, ValidationError } from '#kernel';
import {
  anyDocument,
  documentOf,
  everyBlock,
  headingOf,
  paragraphOf,
  variableOf,
  words,
} from '../../../../../test/support/builders/editor-documents.js';
import type { DocumentNode } from '../document/document-node.js';
import { parseDocument } from '../document/parse-document.js';
import { HtmlElement, htmlTree } from '../importing/html-tree.js';
import { importMjml } from '../importing/import-mjml.js';
import { RenderOptions } from '../rendering/render-document.js';
import { completeStyles, GivenStyles } from '../styles/team-styles.js';
import { exportMjml } from './export-mjml.js';

const assets: RenderOptions['assets'] = {
  social: (network, look) => `https://mail.test/social/${network}-${look}.png`,
  countdown: ({ until }) => `https://mail.test/countdown/${until}`,
};

function exported(document: object, styles: GivenStyles = {}, kind: RenderOptions['kind'] = 'template'): string {
  return exportMjml(parseDocument(document).document, { styles: completeStyles(styles), assets, kind });
}

const mjml = (...content: object[]): string => exported(documentOf(...content));

/** What may stand in the elements of MJML. Html may stand in those that are not named here. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  root: ['mjml'],
  mjml: ['mj-head', 'mj-body'],
  'mj-head': ['mj-preview', 'mj-attributes'],
  'mj-body': ['mj-section', 'mj-wrapper', 'mj-raw'],
  'mj-wrapper': ['mj-section', 'mj-raw'],
  'mj-section': ['mj-column', 'mj-group', 'mj-raw'],
  'mj-group': ['mj-column'],
  'mj-column': [
    ...['mj-text', 'mj-button', 'mj-image', 'mj-divider', 'mj-spacer', 'mj-table', 'mj-social', 'mj-navbar', 'mj-raw'],
  ],
  'mj-social': ['mj-social-element'],
  'mj-navbar': ['mj-navbar-link'],
};

/** Elements that stand where MJML does not allow them, and text where there can be none. */
function misplaced(element: HtmlElement): readonly string[] {
  const known = element.name === 'mj-attributes' ? undefined : allowed[element.name];
  const elements = element.children.filter((child) => typeof child !== 'string');
  const texts = element.children.filter((child) => typeof child === 'string' && child.trim() !== '');
  if (known === undefined) {
    const isHead = element.name === 'mj-attributes';
    return isHead ? [] : elements.flatMap((child) => (child.name.startsWith('mj') ? [child.name] : misplaced(child)));
  }
  return [
    ...texts.map(String),
    ...elements.filter(({ name }) => !known.includes(name)).map(({ name }) => name),
    ...elements.flatMap(misplaced),
  ];
}

function all(element: HtmlElement): readonly HtmlElement[] {
  return element.children.flatMap((child) => (typeof child === 'string' ? [] : [child, ...all(child)]));
}

it('every block has its place, and its texts, links and images are there', () => {
  const text = exported(everyBlock(), {}, 'broadcast');
  expect(misplaced(htmlTree(text))).toEqual([]);
  for (const part of [
    ...['The harbour in winter', 'Dear {{{contact.first_name|reader}}}', 'rebuilt', 'New berths', 'Below it'],
    ...['On dark ground', 'On a picture', 'Item', '€4', 'Deck chair', '€120', 'For pilots only.', 'By hand'],
    ...[
      'https://acme.test/quay',
      'https://images.acme.test/harbour.jpg',
      'https://acme.test/film',
      'https://x.com/acme',
    ],
    ...['https://acme.test/shop', 'https://acme.test/chair', 'https://mail.test/countdown/2030', '1 Quay, Harbour'],
    ...['<mj-raw>{{#if contact.plan eq "pro"}}</mj-raw>', '{{#each ITEMS}}', '{{{RESEND_UNSUBSCRIBE_URL}}}'],
  ])
    expect(text).toContain(part);
  expect(sectionsOf(text)).toBeDefined();
});

it('the styles of the team are defaults in the head, and blocks say only what differs', () => {
  const text = exported(
    { ...documentOf(paragraphOf('Hi'), { type: 'previewText', attrs: { text: 'A & "B"' } }), attrs: { lang: 'de' } },
    { font: 'georgia', text: '#112233', content: '#fffef0', background: '#dddddd', width: 640 },
  );
  expect(text).toContain('<mjml lang="de">');
  expect(text).toContain('<mj-preview>A &#38; &#34;B&#34;</mj-preview>');
  expect(text).toContain('<mj-all font-family="Georgia,Cambria,&#39;Times New Roman&#39;,serif" />');
  expect(text).toContain('<mj-text font-size="16px" line-height="26px" color="#112233" padding="0" />');
  expect(text).toContain('<mj-section background-color="#fffef0" padding="0" />');
  expect(text).toContain('<mj-body background-color="#dddddd" width="640px">');
  expect(text).toContain('<mj-text><p style="margin:0 0 0px">Hi</p></mj-text>');
});

it('columns have widths that fit beside each other, and stay so where they do not stack', () => {
  const column = (text: string, attrs: object = {}): object => ({
    type: 'columnsColumn',
    attrs,
    content: [paragraphOf(text)],
  });
  const three = { type: 'threeColumns', attrs: { stack: false }, content: ['a', 'b', 'c'].map((text) => column(text)) };
  const boxed = {
    type: 'twoColumns',
    content: [column('d', { width: '30%', background: '#123456', radius: 4 }), column('e')],
  };
  const elements = all(htmlTree(mjml(three, boxed)));
  const columns = elements.filter(({ name }) => name === 'mj-column');
  const widths = columns.map(({ attrs }) => Number.parseFloat(attrs.get('width') ?? ''));
  for (const row of [widths.slice(0, 3), widths.slice(3)]) {
    const sum = row.reduce((total, each) => total + each, 0);
    expect(sum).toBeLessThanOrEqual(100);
    expect(sum).toBeGreaterThan(99.5);
  }
  expect(elements.filter(({ name }) => name === 'mj-group')).toHaveLength(1);
  expect(columns[3]?.attrs.get('inner-background-color')).toBe('#123456');
  expect(mjml(boxed)).toContain('<mj-text color="#e3e7eb" padding="20px 20px 20px">');
});

it('no text leaves its attribute or its element', () => {
  const evil = '"></mj-text><mj-include path="/etc/passwd" /><script>{{#if a exists}}';
  const rule = { type: 'rule', field: 'contact.plan', operator: 'eq', value: evil };
  const text = exported({
    ...documentOf(
      { type: 'previewText', attrs: { text: evil } },
      paragraphOf(words(evil, { type: 'link', attrs: { href: 'https://a.test', title: evil } })),
      { type: 'image', attrs: { src: 'https://a.test/a.png', alt: evil } },
      { type: 'button', content: [words(evil)] },
      { type: 'menu', attrs: { items: [{ label: evil.slice(0, 100), href: 'https://a.test' }] } },
      { type: 'product', attrs: { title: evil, text: evil, price: evil.slice(0, 60), image: 'https://a.test/a.png' } },
      { type: 'codeBlock', content: [words(evil)] },
      { type: 'conditional', attrs: { rule }, content: [paragraphOf('x')] },
      {
        type: 'html',
        attrs: { html: `</mj-raw><mj-include path="/etc/passwd"></mj-include><MJ-RAW>${evil}</MJ-RAW>` },
      },
      { type: 'blockquote', content: [{ type: 'html', attrs: { html: '<mj-include path="x"></mj-include>' } }] },
      { type: 'footer', attrs: { address: evil, unsubscribe: evil.slice(0, 120) } },
    ),
    attrs: { lang: evil.slice(0, 35) },
  });
  const elements = all(htmlTree(text));
  expect(misplaced(htmlTree(text))).toEqual([]);
  expect(elements.filter(({ name }) => name === 'mj-include' || name === 'script')).toEqual([]);
  expect(text).not.toContain('<script');
  expect(sectionsOf(text)).toMatchObject([{}, { kind: 'if' }, {}]);
});

it('any document is MJML whose elements stand where they may', () => {
  fc.assert(
    fc.property(anyDocument(), (document) => {
      let text: string;
      try {
        text = exported(document, {}, 'broadcast');
      } catch (error) {
        if (error instanceof ValidationError) return;
        throw error;
      }
      expect(misplaced(htmlTree(text))).toEqual([]);
    }),
    { numRuns: 200 },
  );
});

/** Types and texts of blocks, without their looks. */
function shapeOf({ type, attrs, content = [], text }: DocumentNode): unknown {
  if (type === 'text') return text;
  if (type === 'variable') return attrs;
  const { links, items, rule, list, html, src, alt, href, height } = attrs ?? {};
  const inside = content.map(shapeOf);
  const isOfText = ['paragraph', 'heading', 'button', 'codeBlock'].includes(type);
  return { type, links, items, rule, list, html, src, alt, href, height, inside: isOfText ? joined(inside) : inside };
}

function joined(parts: readonly unknown[]): string {
  return parts.map((part) => (typeof part === 'string' ? part : JSON.stringify(part))).join('');
}

/** Documents of the blocks that MJML has elements for. */
function knownDocument(): fc.Arbitrary<{ type: 'doc'; content: object[] }> {
  const text = fc.constantFrom(
    'Tea',
    'a < b & "c"',
    'grüße 🎉',
    '{{#if a exists}}',
    '{{/if}}',
    '</mj-text>',
    '漢字',
    "it's",
  );
  const href = fc.constantFrom('https://a.test/?b=1&c=2', '{{{contact.url|https://a.test}}}', 'mailto:a@a.test');
  const marks = fc.constantFrom<object[]>(
    [],
    [{ type: 'bold' }],
    [{ type: 'link', attrs: { href: 'https://a.test' } }],
  );
  const inline = fc
    .tuple(text, marks, fc.constantFrom('', 'x'))
    .map(([first, more, fallback]) => [words(first, ...more), words(' and '), variableOf('NAME', fallback)]);
  const paragraph = inline.map((content) => ({ type: 'paragraph', content }));
  const item = fc.oneof(
    paragraph,
    fc.tuple(fc.integer({ min: 1, max: 6 }), inline).map(([level, content]) => ({
      type: 'heading',
      attrs: { level },
      content,
    })),
    fc.tuple(href, text).map(([to, label]) => ({ type: 'button', attrs: { href: to }, content: [words(label)] })),
    fc.tuple(href, text).map(([to, alt]) => ({ type: 'image', attrs: { src: 'https://a.test/b.png', alt, href: to } })),
    fc.constantFrom<object>(
      { type: 'horizontalRule' },
      { type: 'spacer', attrs: { height: 40 } },
      { type: 'html', attrs: { html: '<div style="color:#ff0000">By hand</div>' } },
      { type: 'codeBlock', content: [words('curl\n  https://a.test')] },
    ),
    fc
      .tuple(fc.constantFrom('bulletList', 'orderedList'), paragraph)
      .map(([type, each]) => ({ type, content: [{ type: 'listItem', content: [each] }] })),
    fc.tuple(paragraph, paragraph).map((cells) => ({
      type: 'table',
      content: cells.map((cell) => ({ type: 'tableRow', content: [{ type: 'tableCell', content: [cell] }] })),
    })),
    fc.constantFrom('x', 'github', 'facebook', 'website', 'mastodon').map((network) => ({
      type: 'social',
      attrs: { links: [{ network, href: 'https://a.test' }] },
    })),
    fc.tuple(text, href).map(([label, to]) => ({ type: 'menu', attrs: { items: [{ label, href: to }] } })),
  );
  const blocks = fc.array(item, { minLength: 1, maxLength: 3 });
  const columns = fc.integer({ min: 2, max: 4 }).chain((count) =>
    fc.array(blocks, { minLength: count, maxLength: count }).map((contents) => ({
      type: { 2: 'twoColumns', 3: 'threeColumns', 4: 'fourColumns' }[count] as string,
      content: contents.map((content) => ({ type: 'columnsColumn', content })),
    })),
  );
  const rule = { type: 'rule', field: 'contact.plan', operator: 'eq', value: '<"pro">' };
  const grouped = fc.oneof(
    blocks.map((content) => ({ type: 'conditional', attrs: { rule }, content })),
    blocks.map((content) => ({ type: 'repeat', attrs: { list: 'ITEMS' }, content })),
  );
  const inBand = fc.array(fc.oneof({ weight: 3, arbitrary: item }, columns, grouped), { minLength: 1, maxLength: 4 });
  const section = inBand.map((content) => ({ type: 'section', attrs: { background: '#1e3a5f' }, content }));
  return fc
    .array(fc.oneof({ weight: 3, arbitrary: item }, columns, grouped, section), { minLength: 1, maxLength: 6 })
    .map((content) => documentOf(...content));
}

it('a document of blocks that MJML knows has the same blocks and texts when it is imported again', () => {
  fc.assert(
    fc.property(
      knownDocument(),
      fc.constantFrom<GivenStyles>({}, { content: '#fffef0', alignment: 'center' }),
      (given, styles) => {
        const { document } = parseDocument(given);
        const again = importMjml(exported(document, styles));
        expect(again.document.content.map(shapeOf)).toEqual(document.content.map(shapeOf));
        const isTyped = /"{{[#/]if/.test(JSON.stringify(document));
        const expected = (note: string): boolean =>
          note.includes('kept as html') || (isTyped && note.startsWith('Template logic'));
        expect(again.notes.filter((note) => !expected(note))).toEqual([]);
      },
    ),
    { numRuns: 200 },
  );
});

it('what MJML has no element for is imported as the blocks that it was written as', () => {
  const { document } = importMjml(exported(everyBlock(), { logo: 'https://acme.test/logo.png' }, 'broadcast'));
  const text = JSON.stringify(document);
  for (const part of [
    'https://acme.test/logo.png',
    'The film of the quay',
    'Deck chair',
    'Buy',
    '2030-01-01 00:00 UTC',
  ])
    expect(text).toContain(part);
  expect(headingOf(1, 'The harbour in winter')).toEqual(document.content[1]);
});
