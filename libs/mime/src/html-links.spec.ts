import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { findLinks, withLinks } from './html-links.js';

const maxLinks = 1_000;
const mark = 'http://t.test/c/0';

/** The html with `@` in place of every link, and `!` at the end of the body. */
function marked(html: string): string {
  const places = findLinks(html, maxLinks);
  return withLinks(
    html,
    places,
    places.links.map(() => '@'),
    '!',
  );
}

describe('findLinks', () => {
  it.each([
    ['double quotes', '<a href="https://x.test/">x</a>', '<a href="@">x</a>!'],
    ['single quotes', "<a href='https://x.test/'>x</a>", "<a href='@'>x</a>!"],
    ['no quotes', '<a href=https://x.test/ title=y>x</a>', '<a href=@ title=y>x</a>!'],
    ['no quotes up to the bracket', '<a href=http://x.test/>x</a>', '<a href=@>x</a>!'],
    ['white space and upper case', '<A\n\tHREF = "HTTPS://x.test/a">x</A>', '<A\n\tHREF = "@">x</A>!'],
    ['areas of a map', '<area shape=rect href="https://x.test/">', '<area shape=rect href="@">!'],
    [
      'other attributes before and after',
      '<a class="a>b" href="https://x.test" id=c>',
      '<a class="a>b" href="@" id=c>!',
    ],
    ['a slash instead of a space', '<a/href="https://x.test"/>', '<a/href="@"/>!'],
    ['attributes without a space between', '<a id="b"href="https://x.test">', '<a id="b"href="@">!'],
    [
      'only the first of two',
      '<a href="https://x.test/1" href="https://x.test/2">',
      '<a href="@" href="https://x.test/2">!',
    ],
    ['a quote in an unquoted value', `<a id=x=" href=https://x.test/>y" z</a>`, `<a id=x=" href=@>y" z</a>!`],
    ['a name that ends with href', '<a data-href="https://x.test">', '<a data-href="https://x.test">!'],
    ['href in a value', '<a title="href=https://x.test">', '<a title="href=https://x.test">!'],
    ['line breaks in a link', '<a href="https://x.test/\r\n a">', '<a href="@">!'],
    ['space around a link', '<a href=" https://x.test/ ">', '<a href="@">!'],
    ['before the end of the body', '<body>x</body></html>', '<body>x!</body></html>'],
    ['before the last of two ends', '<body>a</body>b</BODY >', '<body>a</body>b!</BODY >'],
    ['a link after the end of the body', '<body></body><a href="https://x.test">', '<body>!</body><a href="@">'],
    ['nothing at all', '', '!'],
  ])('finds %s', (_, html, expected) => {
    expect(marked(html)).toBe(expected);
  });

  it.each([
    ['mail', '<a href="mailto:a@x.test">'],
    ['telephone', '<a href="tel:+1">'],
    ['places in the mail', '<a href="#top">'],
    ['data', '<a href="data:text/html,x">'],
    ['scripts', '<a href="javascript:location=\'https://x.test\'">'],
    ['scripts with entities', '<a href="java&#115;cript:x">'],
    ['relative addresses', '<a href="/x">', '<a href="x.html">', '<a href="//x.test/">'],
    ['nothing', '<a href="">', '<a href>', '<a>'],
    ['placeholders', '<a href="{{{RESEND_UNSUBSCRIBE_URL}}}">'],
    ['other schemes', '<a href="ftp://x.test/">', '<a href="httpss://x.test">', '<a href="cid:logo">'],
    ['invalid addresses', '<a href="https://">', '<a href="https:///x">', '<a href="https://x y/">'],
    ['other elements', '<link href="https://x.test">', '<base href="https://x.test">', '<abbr href="https://x.test">'],
    ['pictures', '<img src="https://x.test/a.png">', '<td background="https://x.test">'],
    ['comments', '<!-- <a href="https://x.test"> -->'],
    ['conditional comments', '<!--[if mso]><a href="https://x.test">x</a><![endif]-->'],
    ['scripts that write', '<script>w("<a href=\\"https://x.test\\">")</script>'],
    ['styles and titles', '<style><a href="https://x.test"></style><title><a href="https://x.test"></title>'],
    ['a script that does not end with </scripted>', '<script></scripted><a href="https://x.test"></script>'],
    ['text areas', '<textarea><a href="https://x.test"></textarea>'],
    ['tags without an end', '<a href="https://x.test"', '<a href="https://x.test>x</a>'],
    ['white space before a name', '< a href="https://x.test">'],
  ])('leaves %s alone', (_, ...htmls) => {
    for (const html of htmls) expect(findLinks(html, maxLinks).links).toEqual([]);
  });

  it('finds links in conditional comments that every client except Outlook shows', () => {
    const html = '<!--[if !mso]><!--><a href="https://x.test">x</a><!--<![endif]-->';
    expect(marked(html)).toBe('<!--[if !mso]><!--><a href="@">x</a><!--<![endif]-->!');
  });

  it.each([
    ['https://x.test/?a=1&amp;b=2', 'https://x.test/?a=1&b=2'],
    ['https://x.test/?a=1&b=2&copy=3', 'https://x.test/?a=1&b=2&copy=3'],
    ['https://x.test/?a&reg&b&nosuch;c', 'https://x.test/?a®&b&nosuch;c'],
    ['https&colon;//x.test/', 'https://x.test/'],
    ['https://x.test/&#x2F;&#233;', 'https://x.test//é'],
    ['&#104;ttps://x.test', 'https://x.test'],
    ['https://x.test/ü', 'https://x.test/ü'],
    ['https://x.test/a\n b', 'https://x.test/a b'],
  ])('%s leads to %s', (written, url) => {
    expect(findLinks(`<a href="${written}">`, maxLinks).links.map((link) => link.url)).toEqual([url]);
  });

  it('returns at most `maxLinks` links', () => {
    expect(findLinks('<a href="https://x.test">'.repeat(10), 3).links).toHaveLength(3);
  });
});

describe('withLinks', () => {
  const piece = fc.constantFrom(
    ...[
      '<a href="https://x.test/a">',
      "<a href='http://x.test'>",
      '<a href=https://x.test>',
      '<a ',
      'href="',
      '">',
      "'",
    ],
    ...['</a>', '<!--', '-->', '<![endif]', '<script>', '</script>', '<style', '</body>', '<body>', '=', '<', '>', '/'],
    ...['text', ' ', '\r\n', '&amp;', '&', 'ü', '\ud800', '<area href=https://x.test/?a&b>', '{{x}}', 'https://x.test'],
  );

  it('changes only the links: replacing them by the original values gives the original html', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const html = pieces.join('');
        const places = findLinks(html, maxLinks);
        const values = places.links.map((_, index) => `${mark}${index}z`);
        let text = withLinks(html, places, values, '<added>');
        expect(text.split('<added>')).toHaveLength(2);
        text = text.replace('<added>', '');
        places.links.forEach(({ start, end }, index) => {
          text = text.replace(`${mark}${index}z`, () => html.slice(start, end));
        });
        expect(text).toBe(html);
      }),
      { numRuns: 3_000 },
    );
  });

  it('writes links that are found again in the same places', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const html = pieces.join('');
        const places = findLinks(html, maxLinks);
        const values = places.links.map((_, index) => `${mark}${index}`);
        const again = findLinks(withLinks(html, places, values, ''), maxLinks);
        expect(again.links.map(({ url }) => url)).toEqual(values);
      }),
      { numRuns: 1_000 },
    );
  });
});

it.each([
  '<a href="',
  '<a ',
  '<a href=x ',
  '<!--',
  '<a href="https://x.test">',
  '<script></',
  "<a b='",
  '&amp',
  '</body',
  '<a href="&amp',
])('takes linear time for many repetitions of %j', (piece) => {
  const { links } = findLinks(piece.repeat(Math.ceil(2_000_000 / piece.length)), maxLinks);
  expect(links.length).toBeLessThanOrEqual(maxLinks);
});
