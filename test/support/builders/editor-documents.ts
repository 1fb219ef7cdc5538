import fc from 'fast-check';

/** Parts of documents, short to write. */
export const words = (text: string, ...marks: object[]): object => ({
  type: 'text',
  text,
  ...(marks.length === 0 ? {} : { marks }),
});
export const paragraphOf = (...content: (object | string)[]): object => ({
  type: 'paragraph',
  content: content.map((each) => (typeof each === 'string' ? words(each) : each)),
});
export const headingOf = (level: number, text: string): object => ({
  type: 'heading',
  attrs: { level },
  content: [words(text)],
});
export const variableOf = (name: string, fallback?: string): object => ({
  type: 'variable',
  attrs: { name, fallback },
});
export const documentOf = (...content: object[]): { type: 'doc'; content: object[] } => ({ type: 'doc', content });

const column = (...content: object[]): object => ({ type: 'columnsColumn', content });
const cell = (type: string, text: string, alignment?: string): object => ({
  type,
  attrs: { alignment },
  content: [paragraphOf(text)],
});
const picture = 'https://images.acme.test/harbour.jpg';

/** A document with every block. */
export function everyBlock(): { type: 'doc'; content: object[] } {
  return documentOf(
    { type: 'logo' },
    headingOf(1, 'The harbour in winter'),
    paragraphOf(
      'Dear ',
      variableOf('contact.first_name', 'reader'),
      ', this week we ',
      words('rebuilt', { type: 'bold' }),
      ' the ',
      words('north quay', { type: 'link', attrs: { href: 'https://acme.test/quay' } }),
      '.',
    ),
    { type: 'image', attrs: { src: picture, alt: 'Boats in the ice', width: 520, radius: 8 } },
    {
      type: 'button',
      attrs: { href: 'https://acme.test/read', alignment: 'center' },
      content: [words('Read the story')],
    },
    headingOf(2, 'What changed'),
    {
      type: 'bulletList',
      content: ['New berths', 'A crane'].map((text) => ({ type: 'listItem', content: [paragraphOf(text)] })),
    },
    {
      type: 'orderedList',
      attrs: { start: 3 },
      content: [
        {
          type: 'listItem',
          content: [
            paragraphOf('Third'),
            { type: 'bulletList', content: [{ type: 'listItem', content: [paragraphOf('Below it')] }] },
          ],
        },
      ],
    },
    { type: 'blockquote', content: [paragraphOf('Nobody believed it would hold.')] },
    { type: 'codeBlock', attrs: { language: 'bash' }, content: [words('curl https://acme.test\n  --head')] },
    { type: 'horizontalRule', attrs: { line: 'dashed' } },
    { type: 'spacer', attrs: { height: 20 } },
    {
      type: 'twoColumns',
      attrs: { gap: 32 },
      content: [
        column(headingOf(3, 'Left'), paragraphOf('Wide')),
        column({ type: 'image', attrs: { src: picture, alt: 'A boat' } }),
      ],
    },
    {
      type: 'threeColumns',
      attrs: { stack: false },
      content: [column(paragraphOf('One')), column(paragraphOf('Two')), column(paragraphOf('Three'))],
    },
    { type: 'fourColumns', content: [1, 2, 3, 4].map((no) => column(paragraphOf(String(no)))) },
    {
      type: 'section',
      attrs: { background: '#1e3a5f', paddingTop: 32 },
      content: [
        headingOf(2, 'On dark ground'),
        paragraphOf('Readable ', words('here', { type: 'link', attrs: { href: 'https://acme.test' } })),
        { type: 'button', attrs: { href: 'https://acme.test' }, content: [words('Go')] },
      ],
    },
    {
      type: 'section',
      attrs: { image: picture, textColor: '#ffffff', darkBackground: '#000000' },
      content: [headingOf(2, 'On a picture')],
    },
    {
      type: 'table',
      content: [
        { type: 'tableRow', content: [cell('tableHeader', 'Item'), cell('tableHeader', 'Price', 'right')] },
        { type: 'tableRow', content: [cell('tableCell', 'Tea'), cell('tableCell', '€4', 'right')] },
      ],
    },
    {
      type: 'social',
      attrs: {
        links: [
          { network: 'x', href: 'https://x.com/acme' },
          { network: 'github', href: 'https://github.com/acme' },
        ],
      },
    },
    { type: 'video', attrs: { href: 'https://acme.test/film', src: picture, alt: 'The film of the quay' } },
    {
      type: 'menu',
      attrs: {
        items: [
          { label: 'Shop', href: 'https://acme.test/shop' },
          { label: 'Help', href: 'https://acme.test/help' },
        ],
        separator: '·',
      },
    },
    {
      type: 'product',
      attrs: {
        image: picture,
        title: 'Deck chair',
        text: 'Teak',
        price: '€120',
        oldPrice: '€150',
        href: 'https://acme.test/chair',
        button: 'Buy',
        layout: 'side',
      },
    },
    { type: 'countdown', attrs: { until: '2030-01-01T00:00:00.000Z' } },
    {
      type: 'conditional',
      attrs: { rule: { type: 'rule', field: 'contact.plan', operator: 'eq', value: 'pro' } },
      content: [paragraphOf('For pilots only.')],
    },
    {
      type: 'repeat',
      attrs: { list: 'ITEMS' },
      content: [paragraphOf(variableOf('this.name'), ' costs ', variableOf('this.price', 'nothing'))],
    },
    { type: 'html', attrs: { html: '<div style="color:#ff0000">By hand</div>' } },
    {
      type: 'footer',
      attrs: { address: 'Acme\n1 Quay, Harbour' },
      content: [paragraphOf('You get this because you live here.')],
    },
  );
}

/** Documents as clients might send them. */
export function anyDocument(): fc.Arbitrary<object> {
  const text = fc.oneof(
    fc.string({ unit: 'grapheme', minLength: 1 }),
    fc.constantFrom('{{{contact.name|you}}}', '{{#if a exists}}', '{{{', '}}}', '<b>&"', '{{/if}}'),
  );
  const mark = fc.constantFrom<object>(
    { type: 'bold' },
    { type: 'code' },
    { type: 'link', attrs: { href: 'acme.test/a?b=1&c' } },
    { type: 'textStyle', attrs: { color: 'rgb(1, 2, 3)', fontSize: '18px' } },
    { type: 'preservedStyle', attrs: { style: 'position:fixed;color:red' } },
  );
  const inline = fc.oneof(
    { weight: 4, arbitrary: fc.record({ type: fc.constant('text'), text, marks: fc.array(mark, { maxLength: 3 }) }) },
    fc.record({
      type: fc.constant('variable'),
      attrs: fc.record({ name: fc.constantFrom('contact.town', 'TOTAL'), fallback: fc.constantFrom('', 'x', null) }),
    }),
    fc.constant({ type: 'hardBreak' }),
  );
  const inlines = fc.array(inline, { maxLength: 4 });
  const { block } = fc.letrec<{ block: object; blocks: object[] }>((tie) => ({
    blocks: fc.array(tie('block'), { maxLength: 3 }),
    block: fc.oneof(
      { maxDepth: 4, depthSize: 'small' },
      fc.record({
        type: fc.constant('paragraph'),
        attrs: fc.record({
          alignment: fc.constantFrom('center', null),
          style: fc.constantFrom('', 'margin:-9px;padding:4px'),
        }),
        content: inlines,
      }),
      fc.record({
        type: fc.constant('heading'),
        attrs: fc.record({ level: fc.integer({ min: 1, max: 6 }) }),
        content: inlines,
      }),
      fc.record({
        type: fc.constant('button'),
        attrs: fc.record({ href: fc.constantFrom('#', 'https://a.test', '{{{contact.url}}}') }),
        content: inlines,
      }),
      fc.record({
        type: fc.constant('image'),
        attrs: fc.record({
          src: fc.constantFrom('', 'https://a.test/b.png'),
          width: fc.constantFrom('auto', 200, '40%'),
        }),
      }),
      inline,
      fc.record({
        type: fc.constantFrom('section', 'container', 'div', 'blockquote', 'conditional', 'footer'),
        attrs: fc.record({ background: fc.constantFrom('#123', '', 'white') }),
        content: tie('blocks'),
      }),
      fc.record({
        type: fc.constantFrom('bulletList', 'orderedList'),
        content: fc.array(fc.record({ type: fc.constant('listItem'), content: tie('blocks') }), { maxLength: 2 }),
      }),
      fc.record({
        type: fc.constant('twoColumns'),
        content: fc.array(fc.record({ type: fc.constant('columnsColumn'), content: tie('blocks') }), { maxLength: 2 }),
      }),
      fc.record({
        type: fc.constant('table'),
        content: fc.array(
          fc.record({
            type: fc.constant('tableRow'),
            content: fc.array(fc.record({ type: fc.constant('tableCell'), content: tie('blocks') }), { maxLength: 2 }),
          }),
          { maxLength: 2 },
        ),
      }),
      fc.record({
        type: fc.constant('html'),
        attrs: fc.record({
          html: fc.constantFrom(
            '<p>a',
            '</td></table><b onclick="x">b',
            '<script>1</script>&amp;',
            '<a href="javascript:1">x</a>',
          ),
        }),
      }),
    ),
  }));
  return fc.array(block, { maxLength: 6 }).map((content) => ({ type: 'doc', content }));
}
