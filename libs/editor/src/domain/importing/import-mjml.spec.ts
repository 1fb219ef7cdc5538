import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { headingOf, paragraphOf, variableOf, words } from '../../../../../test/support/builders/editor-documents.js';
import type { EmailDocument } from '../document/document-node.js';
import { parseDocument } from '../document/parse-document.js';
import { importMjml } from './import-mjml.js';

const mjmlOf = (body: string, head = ''): string => `<mjml><mj-head>${head}</mj-head><mj-body>${body}</mj-body></mjml>`;
const inColumn = (content: string, head = ''): string =>
  mjmlOf(`<mj-section><mj-column>${content}</mj-column></mj-section>`, head);
const blocksOf = (mjml: string): readonly object[] => importMjml(mjml).document.content;
const column = (...content: object[]): object => ({ type: 'columnsColumn', content });
const buttonOf = (text: string, attrs: object = { alignment: 'center' }): object => ({
  type: 'button',
  attrs,
  content: [words(text)],
});

it('the head gives the preview text and the defaults, and the rest of it is left out', () => {
  const { document, notes } = importMjml(
    `<?xml version="1.0"?><mjml lang="de" dir="rtl"><mj-head><mj-title>No</mj-title><mj-preview>In &amp; out</mj-preview>
      <mj-font name="Roboto" href="https://fonts.test/r.css" /><mj-breakpoint width="320px" />
      <mj-style inline="inline">.a > b { color: red }</mj-style><mj-attributes>
        <mj-all align="right" /><mj-button align="left" /><mj-class name="wide" width="100%" /><mj-class name="mid" align="center"></mj-class>
      </mj-attributes></mj-head><mj-body background-color="#eeeeee"><mj-section><mj-column>
        <mj-text>Text</mj-text><mj-button>Left</mj-button><mj-button mj-class="wide mid">Wide</mj-button>
        <mj-button mj-class="mid" align="right">Own</mj-button></mj-column></mj-section></mj-body></mjml>`,
  );
  expect(document.attrs).toEqual({ lang: 'de', dir: 'rtl' });
  expect(document.content).toEqual([
    { type: 'previewText', attrs: { text: 'In & out' } },
    { type: 'paragraph', attrs: { alignment: 'right' }, content: [words('Text')] },
    { type: 'button', content: [words('Left')] },
    buttonOf('Wide', { alignment: 'center', fullWidth: true }),
    buttonOf('Own', { alignment: 'right' }),
  ]);
  expect(notes).toEqual(['`<mj-style>` was left out.']);
});

it('html in a text is read as html is, with its merge tags', () => {
  const text = `<h2>Winter <em>news</em></h2><p>Dear {{{NAME|you}}},<br>see <a href="https://acme.test">us</a>
    <ul><li>Boots<li>Jackets</ul>Price: 4 < 5 {{#if x}}`;
  expect(blocksOf(inColumn(`<mj-text>${text}</mj-text><mj-text align="center">Plain</mj-text>`))).toEqual([
    { type: 'heading', attrs: { level: 2 }, content: [words('Winter '), words('news', { type: 'italic' })] },
    paragraphOf(
      'Dear ',
      variableOf('NAME', 'you'),
      ',',
      { type: 'hardBreak' },
      'see ',
      words('us', { type: 'link', attrs: { href: 'https://acme.test' } }),
    ),
    {
      type: 'bulletList',
      content: ['Boots', 'Jackets'].map((each) => ({ type: 'listItem', content: [paragraphOf(each)] })),
    },
    paragraphOf('Price: 4 < 5 {{#if x}}'),
    { type: 'paragraph', attrs: { alignment: 'center' }, content: [words('Plain')] },
  ]);
});

it('elements that end themselves, or never, have nothing in them', () => {
  const content = `<mj-image src="https://a.test/a.png" alt="A" width="200px" href="https://acme.test" border-radius="8px"/>
    <mj-image src="https://a.test/b.png" align="left"><mj-divider border-style="dashed" border-width="2px" width="50%"></mj-divider>
    <mj-spacer height="30px"><mj-text/><mj-text>After</mj-text>`;
  expect(blocksOf(inColumn(content))).toEqual([
    {
      type: 'image',
      attrs: {
        src: 'https://a.test/a.png',
        alt: 'A',
        width: 200,
        alignment: 'center',
        href: 'https://acme.test',
        radius: 8,
      },
    },
    { type: 'image', attrs: { src: 'https://a.test/b.png' } },
    { type: 'horizontalRule', attrs: { line: 'dashed', thickness: 2, width: 50 } },
    { type: 'spacer', attrs: { height: 30 } },
    paragraphOf('After'),
  ]);
});

it('columns stand beside each other, with what is their own, and the next row begins where there is no room', () => {
  const columnOf = (text: string, attributes = ''): string =>
    `<mj-column ${attributes}><mj-text>${text}</mj-text></mj-column>`;
  const section = (...columns: string[]): string => `<mj-section>${columns.join('\n')}</mj-section>`;
  const wide = columnOf(
    'B',
    'width="400px" background-color="#112233" vertical-align="middle" inner-border="1px solid #ff0000"',
  );
  const half = 'width="50%"';
  const body = [
    section(columnOf('A', 'width="200px"'), wide),
    section(`<mj-group>${columnOf('1')}${columnOf('2')}${columnOf('3')}</mj-group>`),
    section(...['a', 'b', 'c'].map((text) => columnOf(text, half))),
    section(...['1', '2', '3', '4', '5'].map((text) => columnOf(text))),
    section('<mj-column />', columnOf('Alone')),
  ];
  const look = { background: '#112233', borderColor: '#ff0000', verticalAlign: 'middle', width: '66.7%' };
  expect(blocksOf(mjmlOf(body.join('\n')))).toEqual([
    {
      type: 'twoColumns',
      content: [
        { type: 'columnsColumn', attrs: { width: '33.3%' }, content: [paragraphOf('A')] },
        { type: 'columnsColumn', attrs: look, content: [paragraphOf('B')] },
      ],
    },
    {
      type: 'threeColumns',
      attrs: { stack: false },
      content: ['1', '2', '3'].map((text) => column(paragraphOf(text))),
    },
    { type: 'twoColumns', content: ['a', 'b'].map((text) => column(paragraphOf(text))) },
    paragraphOf('c'),
    { type: 'fourColumns', content: ['1', '2', '3', '4'].map((text) => column(paragraphOf(text))) },
    paragraphOf('5'),
    paragraphOf('Alone'),
  ]);
});

it('sections, wrappers, heroes and columns become sections where they have a look of their own', () => {
  const text = '<mj-column><mj-text>In</mj-text></mj-column>';
  const hero = '<mj-hero background-url="https://a.test/h.png"><mj-text>Over</mj-text></mj-hero>';
  const body = `<mj-section background-color="#FFF">${text}</mj-section>
    <mj-wrapper background-color="#224466" padding="32px 0" full-width="full-width"><mj-section>${text}</mj-section></mj-wrapper>
    <mj-section border="2px solid rgb(1, 2, 3)" border-radius="6px" padding-left="9px">${text}</mj-section>${hero}
    <mj-section background-url="javascript:1">${text}</mj-section>`;
  const head = '<mj-attributes><mj-section background-color="#fafafa" /></mj-attributes>';
  expect(blocksOf(mjmlOf(body, head))).toEqual([
    paragraphOf('In'),
    {
      type: 'section',
      attrs: { background: '#224466', fullWidth: true, paddingTop: 32, paddingBottom: 32 },
      content: [paragraphOf('In')],
    },
    {
      type: 'section',
      attrs: { borderColor: '#010203', borderWidth: 2, radius: 6, paddingLeft: 9 },
      content: [paragraphOf('In')],
    },
    { type: 'section', attrs: { image: 'https://a.test/h.png' }, content: [paragraphOf('Over')] },
    paragraphOf('In'),
  ]);
});

it('links to networks, menus and tables become theirs', () => {
  const social = `<mj-social align="left"><mj-social-element name="twitter-noshare" href="https://x.com/a">X</mj-social-element>
    <mj-social-element name="web" href="acme.test" /><mj-social-element name="snapchat" href="https://s.test" /><mj-social-element name="x" /></mj-social>`;
  const menu = `<mj-navbar base-url="https://acme.test"><mj-navbar-link href="/shop">Our
    shop</mj-navbar-link><mj-navbar-link href="https://acme.test/help">Help</mj-navbar-link></mj-navbar>`;
  const table = `<mj-table><tr><th>Item</th></tr><tr><td>${'Tea '.repeat(40)}</td></tr></mj-table>`;
  const { document, notes } = importMjml(inColumn(social + menu + table));
  expect(document.content).toMatchObject([
    {
      type: 'social',
      attrs: {
        links: [
          { network: 'x', href: 'https://x.com/a' },
          { network: 'website', href: 'https://acme.test' },
          { network: 'website', href: 'https://s.test' },
        ],
      },
    },
    {
      type: 'menu',
      attrs: {
        items: [
          { label: 'Our shop', href: 'https://acme.test/shop' },
          { label: 'Help', href: 'https://acme.test/help' },
        ],
        alignment: 'center',
      },
    },
    { type: 'table', content: [{ content: [{ type: 'tableHeader' }] }, { content: [{ type: 'tableCell' }] }] },
  ]);
  expect(notes).toEqual(['Links to networks without an icon are shown as a website.']);
});

it('what has no block is laid out in those there are, kept as html, or left out, and said', () => {
  const content = `<mj-accordion><mj-accordion-element><mj-accordion-title>Why?</mj-accordion-title>
      <mj-accordion-text><p>Because.</p></mj-accordion-text></mj-accordion-element></mj-accordion>
    <mj-carousel><mj-carousel-image src="https://a.test/1.png" /><mj-carousel-image src="https://a.test/2.png" /></mj-carousel>
    <mj-raw><tr><td><dl><dt onclick="x()">Term</dl></td></tr></mj-raw><mj-raw></div><b>Bold</mj-raw>
    <mj-chart><mj-text>Kept</mj-text></mj-chart><mj-include path="./secret.mjml" /><mj-button href="javascript:alert(1)">Go</mj-button>`;
  const { document, notes } = importMjml(inColumn(content));
  expect(document.content).toEqual([
    headingOf(3, 'Why?'),
    paragraphOf('Because.'),
    { type: 'image', attrs: { src: 'https://a.test/1.png', alignment: 'center' } },
    { type: 'image', attrs: { src: 'https://a.test/2.png', alignment: 'center' } },
    { type: 'html', attrs: { html: '<dl><dt>Term</dt></dl>' } },
    { type: 'html', attrs: { html: '<b>Bold</b>' } },
    paragraphOf('Kept'),
    buttonOf('Go'),
  ]);
  expect(notes).toEqual([
    'The parts of an accordion stand below each other.',
    'The images of a carousel stand below each other.',
    '`<mj-raw>` is kept as html.',
    '`<mj-chart>` is not known. What is in it was kept.',
    '`<mj-include>` was left out, because no files are read.',
    'A link that no email may have was left out.',
    '`onclick` in html was left out.',
  ]);
});

it('conditions and lists between elements become blocks, and tags without a counterpart stay text', () => {
  const raw = (text: string): string => `<mj-raw>${text}</mj-raw>`;
  const text = (words: string): string => `<mj-text>${words}</mj-text>`;
  const rule = { type: 'rule', field: 'contact.plan', operator: 'eq', value: 'pro' };
  const content =
    raw('{{#if contact.plan eq "pro"}}') +
    text('Pro') +
    raw('{{#each ITEMS}}') +
    text('{{{this.name}}}') +
    raw('{{/each}}') +
    raw('{{/if}}');
  expect(blocksOf(inColumn(content + text('All')))).toEqual([
    {
      type: 'conditional',
      attrs: { rule },
      content: [
        paragraphOf('Pro'),
        { type: 'repeat', attrs: { list: 'ITEMS' }, content: [paragraphOf(variableOf('this.name'))] },
      ],
    },
    paragraphOf('All'),
  ]);
  const broken =
    raw('{{#if plan is odd}}') + text('A') + raw('{{/if}}') + raw('{{else}}') + raw('{{#if a exists}}') + text('B');
  expect(blocksOf(inColumn(broken))).toEqual(
    ['{{#if plan is odd}}', 'A', '{{/if}}', '{{else}}', '{{#if a exists}}', 'B'].map((each) => paragraphOf(each)),
  );
});

it('nothing in it leaves its place, whatever it is called', () => {
  const hostile = `<!DOCTYPE mjml [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]>${inColumn(
    `<mj-text>&b;</mj-text><mj-image src='https://a.test/"><script>1</script>.png' /><mj-image src="https://a.test/a.png" alt='"><script>' />
     <mj-text><script>alert(1)</script><img src="https://a.test/o.png" width="1" height="1">Seen</mj-text><mj-image src="https://a.test/p.gif" width="1px" />
     <mj-navbar><mj-navbar-link href="javascript:1">Menu</mj-navbar-link></mj-navbar><mj-constructor __proto__="1" /><mj-text mj-class="__proto__ toString">Class</mj-text>`,
  )}`;
  expect(blocksOf(hostile)).toEqual([
    paragraphOf('&b;'),
    { type: 'image', attrs: { src: 'https://a.test/a.png', alt: '"><script>', alignment: 'center' } },
    paragraphOf('Seen'),
    { type: 'menu', attrs: { items: [{ label: 'Menu' }], alignment: 'center' } },
    paragraphOf('Class'),
  ]);
});

it('too much and nothing are refused', () => {
  expect(() => importMjml('<mjml><mj-body></mj-body></mjml>')).toThrow('nothing in the `mjml`');
  expect(() => importMjml('x'.repeat(1024 * 1024 + 1))).toThrow('The `mjml` may have at most 1048576 bytes.');
  expect(() => importMjml('<mj-text>x</mj-text>'.repeat(20_000))).toThrow('at most 10000 nodes');
  expect(blocksOf('<mj-text>Only this</mj-text>')).toEqual([paragraphOf('Only this')]);
  expect(blocksOf('<mjml><mj-body><mj-section><mj-column><mj-text>Not closed')).toEqual([paragraphOf('Not closed')]);
});

const megabyte = 1024 * 1024;

it.each([
  ['sections', '<mj-section background-color="#123456">'],
  ['closed sections', '<mj-section/>'],
  ['columns', '<mj-column>'],
  ['columns with text', '<mj-section><mj-column><mj-text>a</mj-text></mj-column><mj-column>'],
  ['wrappers', '<mj-wrapper background-color="#123456"><mj-section border="1px solid red"><mj-group>'],
  ['conditions', '<mj-raw>{{#if a exists}}</mj-raw>'],
  ['ends of conditions', '<mj-raw>{{/if}}</mj-raw> '],
  ['accordions', '<mj-accordion><mj-accordion-element>'],
  ['classes', '<mj-class name="a" color="red">'],
])('a megabyte of %s is read or refused in words', (_, piece) => {
  const text = piece.repeat(Math.floor((megabyte - 200) / piece.length));
  try {
    importMjml(
      `<mjml><mj-head><mj-attributes><mj-all a="b" /></mj-attributes></mj-head><mj-body>${text}<mj-text>In</mj-text>`,
    );
  } catch (error) {
    expect((error as Error).name).toBe('ValidationError');
  }
});

it.each([
  ['wrappers and sections', '<mj-wrapper background-color="#123456"><mj-section background-color="#654321">'],
  ['columns', '<mj-section><mj-column><mj-text>b</mj-text></mj-column><mj-column>'],
  [
    'conditions in columns',
    '<mj-raw>{{#if a exists}}</mj-raw><mj-section><mj-column><mj-text>b</mj-text></mj-column><mj-column>',
  ],
])('a thousand %s in each other are not nested deeper than a document may be', (_, open) => {
  const { content } = importMjml(`<mjml><mj-body>${open.repeat(1_000)}<mj-text>In</mj-text>`).document;
  expect(JSON.stringify(content)).toContain('"In"');
});

it('any MJML is a document that is taken again unchanged, or is refused in words', () => {
  const pieces = [
    '<mj-section>',
    '<mj-section background-color="#123456">',
    '</mj-section>',
    '<mj-column width="33.3333%">',
    '<mj-column>',
    '</mj-column>',
    '<mj-group>',
    '<mj-text align="center">',
    '</mj-text>',
    '<mj-raw>',
    '</mj-raw>',
    '{{#if a exists}}',
    '{{/if}}',
    '<mj-raw>{{#each A}}</mj-raw>',
    '<mj-raw>{{/each}}</mj-raw>',
    '<mj-button href="x.test">Go</mj-button>',
    '<mj-image src="a.test/b.png" width="9999px" border-radius="500px" />',
    '<mj-table><tr><td>',
    '<mj-social><mj-social-element name="x" href="x.test" />',
    '<mj-navbar><mj-navbar-link>',
    '<mj-spacer height="9999" />',
    '<mj-divider width="0%" border-width="99px">',
    '<mj-hero background-url="a.test/c.png">',
    '<p>',
    'word ',
  ];
  const piece = fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 6 }));
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (parts) => {
      let document: EmailDocument;
      try {
        ({ document } = importMjml(parts.join('')));
      } catch (error) {
        expect((error as Error).name).toBe('ValidationError');
        return;
      }
      expect(parseDocument(document).document).toEqual(document);
    }),
    { numRuns: 300 },
  );
});
