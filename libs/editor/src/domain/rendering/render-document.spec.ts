import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { MergeTemplate, ValidationError } from '#kernel';
import { attributesOf, htmlToText, scanHtml } from '#mime';
import {
  anyDocument,
  documentOf,
  everyBlock,
  headingOf,
  paragraphOf,
  words,
} from '../../../../../test/support/builders/editor-documents.js';
import { parseDocument } from '../document/parse-document.js';
import { blockTypes, nodeTypes } from '../document/schema.js';
import { contrast } from '../styles/colors.js';
import { completeStyles, GivenStyles } from '../styles/team-styles.js';
import { renderDocument, RenderedEmail, RenderOptions } from './render-document.js';

const assets: RenderOptions['assets'] = {
  social: (network, look) => `https://mail.test/social/${network}-${look}.png`,
  countdown: ({ until }) => `https://mail.test/countdown/${until}`,
};

function render(
  document: object,
  kind: 'broadcast' | 'template' = 'template',
  styles: GivenStyles = {},
): RenderedEmail {
  return renderDocument(parseDocument(document).document, { styles: completeStyles(styles), assets, kind });
}

const html = (...content: object[]): string => render(documentOf(...content)).html;

/** Names of elements that are closed without being opened, or not closed, outside of comments. */
function unbalanced(text: string): readonly string[] {
  const open: string[] = [];
  const wrong: string[] = [];
  const voids = new Set(['meta', 'img', 'br', 'hr', 'link']);
  scanHtml(text.replace(/<!--\[if !mso\]><!-->|<!--<!\[endif\]-->/g, ''), {
    open: (name) => void (!voids.has(name) && open.push(name)),
    close: (name) => void (open.pop() !== name && wrong.push(name)),
  });
  return [...wrong, ...open];
}

/** Empty if the document is refused. */
function attempt(run: () => string): string {
  try {
    return run();
  } catch (error) {
    if (error instanceof ValidationError) return '';
    throw error;
  }
}

/** The conditional comments for Outlook, one after the other. */
function outlookOf(text: string): string {
  return [...text.matchAll(/<!--\[if mso\]>([\s\S]{0,4000}?)<!\[endif\]-->/g)].map(([, inner]) => inner).join('');
}

describe('a rendered document', () => {
  it('has every block, in html that is whole for all programs and for Outlook', () => {
    const { html: text } = render(everyBlock(), 'broadcast');
    expect(unbalanced(text)).toEqual([]);
    expect(outlookOf(text).split('<td').length).toBe(outlookOf(text).split('</td>').length);
    expect(outlookOf(text).split('<table').length).toBe(outlookOf(text).split('</table>').length);
    for (const part of [
      'v:roundrect',
      'v:rect',
      'prefers-color-scheme:dark',
      'max-width:630px',
      'role="article"',
      'lang="en"',
    ]) {
      expect(text).toContain(part);
    }
    for (const part of [
      '{{{contact.first_name|reader}}}',
      '{{#if contact.plan eq "pro"}}',
      '{{#each ITEMS}}',
      '{{{RESEND_UNSUBSCRIBE_URL}}}',
    ]) {
      expect(text).toContain(part);
    }
    expect(Buffer.byteLength(text)).toBeLessThan(30_000);
  });

  it('shows each reader what is for that reader', () => {
    const { html: text, text: plain } = render(everyBlock());
    const items = JSON.stringify([{ name: 'Tea', price: 4 }]);
    for (const [target, source] of [
      ['html', text],
      ['text', plain],
    ] as const) {
      const pro = new MergeTemplate(source, target).render({ plan: 'pro', items, first_name: 'Ada' });
      expect(pro).toContain('For pilots only.');
      expect(pro).toContain('Tea costs 4');
      expect(new MergeTemplate(source, target).render({ plan: 'free' })).not.toContain('pilots');
    }
  });

  it('has a text that reads well', () => {
    const { text } = render(
      documentOf(
        headingOf(1, 'News'),
        paragraphOf('See ', words('the quay', { type: 'link', attrs: { href: 'https://acme.test/q' } }), '.'),
        { type: 'button', attrs: { href: 'https://acme.test' }, content: [words('Open acme.test')] },
        { type: 'footer', attrs: { address: 'Acme' } },
      ),
      'broadcast',
    );
    expect(text).toBe(
      'News\n====\n\nSee the quay (https://acme.test/q).\n\nOpen acme.test\n\n-- \nAcme\n\nUnsubscribe: {{{RESEND_UNSUBSCRIBE_URL}}}\n',
    );
  });

  it('keeps markup, braces and addresses in texts and attributes what they are', () => {
    const text = html(paragraphOf('<b> & "{{#if a exists}}" {{/if}} {{else}}'), {
      type: 'image',
      attrs: { src: 'https://acme.test/a.png?b=1&c=2', alt: '"><script>' },
    });
    expect(text).toContain('&#60;b&#62; &#38; &#34;&#123;&#123;#if a exists}}');
    expect(new MergeTemplate(text, 'html').render({})).toBe(text);
    expect(text).toContain('src="https://acme.test/a.png?b=1&#38;c=2" alt="&#34;&#62;&#60;script&#62;"');
  });

  it('of any shape is whole, has no script, and is the same each time', () => {
    fc.assert(
      fc.property(anyDocument(), (given) => {
        const { document } = parseDocument(given);
        const options: RenderOptions = { styles: completeStyles({}), assets, kind: 'broadcast' };
        const first = renderDocument(document, options);
        expect(renderDocument(parseDocument(document).document, options)).toEqual(first);
        expect(unbalanced(first.html)).toEqual([]);
        scanHtml(first.html, {
          open: (name, attributes) => {
            expect(name).not.toBe('script');
            for (const [attribute, value] of attributesOf(attributes)) {
              expect(attribute).not.toMatch(/^on/);
              if (attribute === 'href' || attribute === 'src')
                expect(value).not.toMatch(/^\s*(?:javascript|data|vbscript):/i);
              if (attribute === 'style')
                expect(value).not.toMatch(/position:(?:fixed|absolute)|expression|javascript/i);
            }
          },
          close: () => undefined,
        });
      }),
      { numRuns: 200 },
    );
  });

  it('has no script from any attribute', () => {
    const evils = [
      'javascript:alert(1)',
      'data:text/html,x',
      ' javascript:1',
      'jav\tascript:1',
      '"><script>1</script>',
      "');}x{",
    ];
    for (const evil of evils) {
      for (const [type, { attrs }] of Object.entries(nodeTypes).filter(([name]) => blockTypes.has(name))) {
        for (const name of Object.keys(attrs)) {
          const given = {
            type,
            attrs: { src: 'https://a.test/b', until: '2030-01-01', [name]: evil },
            content: undefined,
          };
          const text = attempt(() => html(given));
          expect(text).not.toContain('<script');
          expect(text).not.toMatch(/(?:href|src|background|url)[=(]["']?\s*(?:jav\s*ascript|data):/i);
          expect(unbalanced(text)).toEqual([]);
        }
      }
    }
  });

  it('gets a link to unsubscribe if it is a broadcast without one', () => {
    const plain = documentOf(paragraphOf('Hi'));
    expect(render(plain).html).not.toContain('UNSUBSCRIBE');
    expect(render(plain, 'broadcast').html).toContain('{{{RESEND_UNSUBSCRIBE_URL}}}');
    const own = documentOf(
      paragraphOf('Leave: ', words('here', { type: 'link', attrs: { href: '{{{RESEND_UNSUBSCRIBE_URL}}}' } })),
    );
    expect(render(own, 'broadcast').html.split('UNSUBSCRIBE').length).toBe(2);
    const german = { ...plain, attrs: { lang: 'de-AT', dir: 'ltr' } };
    expect(render(german, 'broadcast').text).toContain('Abmelden: {{{RESEND_UNSUBSCRIBE_URL}}}');
  });

  it('takes what blocks do not say from the styles, and what they say from them', () => {
    const styles: GivenStyles = {
      font: 'georgia',
      button: '#aa0000',
      link: '#006644',
      width: 700,
      company: 'Acme',
      corners: 0,
    };
    const text = render(
      documentOf({ type: 'logo' }, { type: 'button', content: [words('a')] }),
      'template',
      styles,
    ).html;
    for (const part of ['Georgia', '#aa0000', 'max-width:700px', '>Acme</span>']) expect(text).toContain(part);
    const own = {
      ...documentOf({ type: 'button', attrs: { background: '#00aa00' }, content: [words('a')] }),
      attrs: { styles: { width: 480 } },
    };
    const { document } = parseDocument(own);
    expect(render(own, 'template', styles).html).toContain('#00aa00');
    expect(document.attrs).toEqual({ styles: { width: 480 } });
  });

  it('can be read on every background, in the light and in the dark', () => {
    for (const background of ['#000000', '#1e3a5f', '#777777', '#ffcc00', '#f0f0ff', '#ffffff']) {
      const text = html({
        type: 'section',
        attrs: { background },
        content: [headingOf(2, 'A'), paragraphOf('b', words('c', { type: 'link', attrs: { href: 'https://a.test' } }))],
      });
      const within = text.slice(text.indexOf(`bgcolor="${background}"`));
      const colors = [...within.matchAll(/[";]color:(#[\da-f]{6})/g)].map(([, color]) => color as string);
      expect(colors.length).toBeGreaterThan(2);
      for (const color of colors.slice(0, 3)) expect(contrast(color, background)).toBeGreaterThanOrEqual(4.2);
    }
    for (const link of ['#000000', '#4338ca', '#00ff00']) {
      const { dark } = completeStyles({ link, button: link });
      expect(contrast(dark.link, dark.content)).toBeGreaterThanOrEqual(4.5);
      expect(contrast(dark.buttonText, dark.button)).toBeGreaterThanOrEqual(3);
    }
  });

  it('lets columns fill their row exactly', () => {
    const column = (width?: number | string): object => ({ type: 'columnsColumn', attrs: { width } });
    for (const widths of [[], ['30%'], [100], ['90%', '90%', '90%'], ['33.333%', '33.333%', '33.333%']]) {
      const text = html({ type: 'threeColumns', content: widths.map(column) });
      const pixels = [...text.matchAll(/inline-block;width:100%;max-width:(\d+)px/g)].map(([, each]) => Number(each));
      expect(pixels.reduce((sum, each) => sum + each, 0)).toBe(520);
    }
  });

  it('reads the same as its html', () => {
    const text = htmlToText(render(everyBlock()).html);
    for (const part of ['The harbour in winter', 'Read the story (https://acme.test/read)', 'Deck chair'])
      expect(text).toContain(part);
  });
});

it('a heading of very many lines has its line below', () => {
  const { text } = render(documentOf(headingOf(1, `Hi${'\n'.repeat(500_000)}You`)));
  expect(text.endsWith('You\n===\n')).toBe(true);
});
