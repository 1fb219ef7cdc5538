import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  documentOf,
  everyBlock,
  headingOf,
  paragraphOf,
  words,
} from '../../../../../test/support/builders/editor-documents.js';
import type { EmailDocument } from '../document/document-node.js';
import { parseDocument } from '../document/parse-document.js';
import { renderDocument } from '../rendering/render-document.js';
import { completeStyles } from '../styles/team-styles.js';
import { importHtml } from './import-html.js';

const blocksOf = (html: string) => importHtml(html).document.content;
const bold = { type: 'bold' };

it('text, headings, lists, quotes, code and lines become blocks', () => {
  const html = `<html lang="de"><head><title>No</title><style>p{}</style></head><body>
    <h1>Winter <em>news</em></h1>
    <p>Dear {{{contact.first_name|reader}}},<br>the <a href="https://acme.test/quay"><b>quay</b></a> is open.
    <ul><li>Boots<li>Jackets</ul>
    <blockquote><p>Finally.</p></blockquote>
    <pre>curl
  acme.test</pre><hr>Goodbye</body></html>`;
  const { document, notes } = importHtml(html);
  expect(notes).toEqual([]);
  expect(document.attrs).toEqual({ lang: 'de' });
  expect(document.content).toEqual([
    { type: 'heading', attrs: { level: 1 }, content: [words('Winter '), words('news', { type: 'italic' })] },
    paragraphOf(
      'Dear ',
      { type: 'variable', attrs: { name: 'contact.first_name', fallback: 'reader' } },
      ',',
      { type: 'hardBreak' },
      'the ',
      words('quay', bold, { type: 'link', attrs: { href: 'https://acme.test/quay' } }),
      ' is open.',
    ),
    {
      type: 'bulletList',
      content: ['Boots', 'Jackets'].map((text) => ({ type: 'listItem', content: [paragraphOf(text)] })),
    },
    { type: 'blockquote', content: [paragraphOf('Finally.')] },
    { type: 'codeBlock', content: [words('curl\n  acme.test')] },
    { type: 'horizontalRule' },
    paragraphOf('Goodbye'),
  ]);
});

it('layouts become columns and sections, links that look like buttons become buttons, and images keep their links', () => {
  const html = `<table bgcolor="#f4f4f4"><tr><td align="center"><table role="presentation" width="600"><tr>
    <td><a href="https://acme.test"><img src="https://acme.test/a.png" width="200" alt="A boat"></a></td>
    <td><h2>Boats</h2><p style="text-align:center">Are <span style="font-weight:700">back</span></p></td></tr>
    <tr><td colspan="2" style="background-color:#224466"><p>Below</p>
    <a href="acme.test/go" style="display:inline-block;padding:8px 16px;background:#ff0000">Go <b>now</b></a></td></tr>
    </table></td></tr></table>`;
  expect(blocksOf(html)).toEqual([
    {
      type: 'twoColumns',
      content: [
        {
          type: 'columnsColumn',
          content: [
            {
              type: 'image',
              attrs: { src: 'https://acme.test/a.png', alt: 'A boat', width: 200, href: 'https://acme.test' },
            },
          ],
        },
        {
          type: 'columnsColumn',
          content: [
            headingOf(2, 'Boats'),
            { type: 'paragraph', attrs: { alignment: 'center' }, content: [words('Are '), words('back', bold)] },
          ],
        },
      ],
    },
    {
      type: 'section',
      attrs: { background: '#224466' },
      content: [
        paragraphOf('Below'),
        { type: 'button', attrs: { href: 'https://acme.test/go' }, content: [words('Go now')] },
      ],
    },
  ]);
});

it('a table of data stays one, what no block can do is html, and what runs or is not seen is left out', () => {
  const html = `<div style="display:none">Seen in lists &zwnj;</div><table><tr><th>Item<th align="right">Price<tr><td>Tea<td>€4</table>
    <script>alert(1)</script><p onclick="x()">Words <a href="javascript:1">here</a></p>
    <dl><dt onclick="x()">Term</dl><img src="data:image/png;base64,xx"><img src="https://a.test/o.gif" width="1" height="1">`;
  const { document, notes } = importHtml(html);
  expect(document.content).toMatchObject([
    { type: 'previewText', attrs: { text: 'Seen in lists' } },
    { type: 'table', content: [{ content: [{ type: 'tableHeader' }, { attrs: { alignment: 'right' } }] }, {}] },
    paragraphOf('Words here'),
    { type: 'html', attrs: { html: '<dl><dt>Term</dt></dl>' } },
  ]);
  expect(notes).toEqual(
    expect.arrayContaining([
      '`<dl>` is kept as html.',
      'A link that no email may have was left out.',
      'An image without an address on the web was left out.',
    ]),
  );
});

it('what the service rendered comes back with its words, images and buttons', () => {
  const assets = { social: () => 'https://mail.test/i.png', countdown: () => 'https://mail.test/c.png' };
  const { document } = parseDocument(everyBlock());
  const { html } = renderDocument(document, { styles: completeStyles({}), assets, kind: 'broadcast' });
  const text = JSON.stringify(blocksOf(html));
  for (const part of ['The harbour in winter', 'New berths', 'Read the story', 'Boats in the ice', 'On dark ground'])
    expect(text).toContain(part);
  for (const type of ['heading', 'button', 'image', 'bulletList', 'twoColumns', 'threeColumns', 'section', 'table'])
    expect(text).toContain(`"type":"${type}"`);
});

it('any html is a document that is taken again unchanged, or is refused in words', () => {
  const pieces = [
    '<p>',
    '</p>',
    '<b>',
    'word ',
    '<table>',
    '<tr>',
    '<td>',
    '</table>',
    '<li>',
    '<ul>',
    '<img src=a.test/b>',
  ];
  const more = [
    '<a href="x.test">',
    '</a>',
    '<div style="background:#123456">',
    '</div>',
    '&amp;',
    '<svg><p>',
    '<h3>',
    '<br>',
  ];
  const piece = fc.oneof(fc.constantFrom(...pieces, ...more), fc.string({ maxLength: 6 }));
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (parts) => {
      let document: EmailDocument;
      try {
        ({ document } = importHtml(parts.join('')));
      } catch (error) {
        expect((error as Error).name).toBe('ValidationError');
        return;
      }
      expect(parseDocument(document).document).toEqual(document);
    }),
    { numRuns: 300 },
  );
});

it('too much and nothing are refused, and boxes in boxes end somewhere', () => {
  expect(() => importHtml(' <!-- x --> ')).toThrow('nothing in the `html`');
  expect(() => importHtml('x'.repeat(1024 * 1024 + 1))).toThrow('at most 1048576 bytes');
  expect(() => importHtml('<p>x'.repeat(20_000))).toThrow('at most 10000 nodes');
  const deep = '<table bgcolor="#112233"><tr><td>a</td><td><ul><li><blockquote>b'.repeat(2_000);
  expect(blocksOf(deep).length).toBeGreaterThan(0);
  expect(blocksOf('<p>a</p>')).toEqual(documentOf(paragraphOf('a')).content);
});

it.each([
  ['quotes', '<blockquote>'],
  ['lists', '<ul><li>'],
  ['coloured boxes', '<div style="background:#123456"><p>b</p>'],
  ['coloured layouts', '<table bgcolor="#123456"><tr><td bgcolor="#654321"><p>b</p>'],
  ['columns', '<table><tr><td><p>b</p></td><td>'],
])('a thousand %s in each other are not nested deeper than a document may be', (_, open) => {
  const { content } = importHtml(`${open.repeat(1_000)}<p>In</p>`).document;
  expect(JSON.stringify(content)).toContain('"In"');
});

it('a list keeps its first number', () => {
  expect(blocksOf('<ol start="4"><li>Four</ol>')).toMatchObject([{ type: 'orderedList', attrs: { start: 4 } }]);
  expect(blocksOf('<ol start="x"><li>One</ol>')[0]).not.toHaveProperty('attrs');
});

it('a direction below `html` is that of the email, or is named', () => {
  expect(importHtml('<body dir="rtl"><p>שלום לכולם').document.attrs).toEqual({ dir: 'rtl' });
  expect(importHtml('<table dir="RTL"><tr><td>שלום לכולם</td></tr></table>').document.attrs).toEqual({ dir: 'rtl' });
  const { document, notes } = importHtml('<p>Most of this is written from left to right.<div dir="rtl"><p>שלום</div>');
  expect(document.attrs?.dir).toBeUndefined();
  expect(notes).toEqual([expect.stringContaining('dir="rtl"')]);
});

it('paragraphs that are a list in Word are a list', () => {
  const item = (sign: string, text: string): string =>
    `<p class=MsoListParagraph style='text-indent:-.25in;mso-list:l0 level1 lfo1'><span style='font-family:Symbol'><span
     style='mso-list:Ignore'>${sign}<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp; </span></span></span>${text}</p>`;
  const listOf = (type: string) => [
    { type, content: ['First point', 'Second'].map((text) => ({ type: 'listItem', content: [paragraphOf(text)] })) },
  ];
  expect(blocksOf(item('·', 'First point') + '\n' + item('·', 'Second'))).toEqual(listOf('bulletList'));
  expect(blocksOf(item('1.', 'First point') + item('2.', 'Second'))).toEqual(listOf('orderedList'));
});

it('logic of a template is named, since people would read it', () => {
  expect(importHtml('<p>{{#if VIP}}Welcome{{else}}Hello{{/if}}').notes).toEqual([expect.stringContaining('{{#if}}')]);
  expect(importHtml('<table>{{#each rows}}<tr><td>{{name}}</td></tr>{{/each}}</table>').notes).toHaveLength(1);
  expect(importHtml('<p>Hello {{{NAME|there}}}').notes).toEqual([]);
});

it('merge tags of Mailchimp become ours, and those without a counterpart are named', () => {
  const { document, notes } = importHtml(
    '<p>Hi *|FNAME|*, <a href="*|UNSUB|*">leave</a> or <a href="*|ARCHIVE|*">look</a> *|IF:VIP|*!',
  );
  expect(JSON.stringify(document)).toContain('"href":"{{{RESEND_UNSUBSCRIBE_URL}}}"');
  expect(JSON.stringify(document)).toContain('FIRST_NAME');
  expect(JSON.stringify(document)).not.toContain('*|FNAME|*');
  expect(notes).toContainEqual(expect.stringContaining('`*|ARCHIVE|*`, `*|IF:VIP|*`'));
});

it('a hidden span before the rest is the preview text', () => {
  const { document } = importHtml('<span style="display:none">Seen in lists</span><p>Hello');
  expect(document.content).toEqual([{ type: 'previewText', attrs: { text: 'Seen in lists' } }, paragraphOf('Hello')]);
});

it('a link around a card is that of all in it', () => {
  const href = 'https://acme.test/boats';
  const link = { type: 'link', attrs: { href } };
  const image = { type: 'image', attrs: { src: 'https://acme.test/a.png', href } };
  const card = '<img src="https://acme.test/a.png"><h2>Boats</h2><div>Read <b>on</b></div>';
  expect(blocksOf(`<a href="${href}">${card}</a><p>After</p>`)).toEqual([
    image,
    { type: 'heading', attrs: { level: 2 }, content: [words('Boats', link)] },
    paragraphOf(words('Read ', link), words('on', bold, link)),
    paragraphOf('After'),
  ]);
  expect(
    blocksOf(`<a href="${href}"><table><tr><td><img src="https://acme.test/a.png"></td></tr></table></a>`),
  ).toEqual([image]);
  const second = { type: 'link', attrs: { href: 'https://acme.test/2' } };
  expect(blocksOf(`<a href="${href}">One<a href="https://acme.test/2">Two</a>`)).toEqual([
    paragraphOf(words('One', link), words('Two', second)),
  ]);
});

it('what stands in a table without a row or a cell stays', () => {
  const inside = '<table><tr><td><p>Below</p></td></tr></table>';
  expect(blocksOf(`<table><td><p>Left</p></td><td><p>Right</p></td></table>`)).toMatchObject([{ type: 'twoColumns' }]);
  expect(blocksOf(`<table><tr><td><p>Above</p></td></tr><tr>${inside}</tr></table>`)).toEqual(
    ['Above', 'Below'].map((text) => paragraphOf(text)),
  );
  expect(blocksOf('<table><tbody>Words<tr><td>of old</td></tr></tbody></table>')).toEqual(
    ['Words', 'of old'].map((text) => paragraphOf(text)),
  );
  const { document, notes } = importHtml(
    '<table><caption>Prices</caption>{% for a in b %}<tr><td>Tea<td>€4</tr>{% endfor %}<tr><td>Milk<td>€1</table>',
  );
  expect(document.content).toMatchObject([paragraphOf('Prices'), { type: 'table', content: [{}, {}] }]);
  expect(notes).toEqual([expect.stringContaining('Template logic')]);
});

it('an image behind words is that of a section, and one behind nothing or the whole page is named', () => {
  const hero = (attrs: object) => [{ type: 'section', attrs, content: [paragraphOf('Hero')] }, paragraphOf('After')];
  const image = 'https://acme.test/Hero.png';
  const cells = (attributes: string): string => `<table><tr><td ${attributes}>Hero</td></tr></table><p>After</p>`;
  expect(blocksOf(cells(`background="${image}"`))).toEqual(hero({ image }));
  expect(blocksOf(cells(`style="background:#222244 url('${image}') center / cover"`))).toEqual(
    hero({ background: '#222244', image }),
  );
  const page = importHtml(`<body background="${image}"><p>Hero</p><div style="background-image:url(${image})"></div>`);
  expect(page.document.content).toEqual([paragraphOf('Hero')]);
  expect(page.notes).toEqual([
    'A background image with nothing in front of it, or too deep in the layout, was left out.',
    'The background image of the whole page was left out.',
  ]);
});

it('spaces in an address are those of the address', () => {
  expect(
    blocksOf('<img src="https://acme.test/My logo.png"><a href="mailto:a@acme.test?subject=Hello\n you">Hi'),
  ).toEqual([
    { type: 'image', attrs: { src: 'https://acme.test/My%20logo.png' } },
    paragraphOf(words('Hi', { type: 'link', attrs: { href: 'mailto:a@acme.test?subject=Hello%20you' } })),
  ]);
  expect(importHtml('<p>x <a href="java\nscript:alert(1)">y</a>').notes).toHaveLength(1);
});

it('words that may not break stay in their line', () => {
  expect(blocksOf('<p>Call <nobr>555 0100</nobr> now')).toEqual([paragraphOf('Call 555 0100 now')]);
});

it('an image in a button is named', () => {
  const { document, notes } = importHtml(
    '<a class="button" href="https://acme.test"><img src="https://acme.test/a.png"> Go</a>',
  );
  expect(document.content).toMatchObject([{ type: 'button' }]);
  expect(notes).toEqual(['An image in a button was left out.']);
});
