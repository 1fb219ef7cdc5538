import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { htmlToText } from './html-to-text.js';

describe('htmlToText', () => {
  it.each([
    ['paragraphs are separated by blank lines', '<p>One</p>\n<p>Two<br>three</p>', 'One\n\nTwo\nthree'],
    ['blocks begin a new line', '<div>a<div>b</div></div><div>c</div>', 'a\nb\nc'],
    ['white space collapses', '  a \n\t b&nbsp;&nbsp; c ', 'a b c'],
    ['inline elements do not split a word', 'un<b>believ</b>able', 'unbelievable'],
    ['headings have blank lines around them', 'a<h2>Title</h2>b', 'a\n\nTitle\n\nb'],
    ['links show their address', '<a href="https://x.test/?a=1&amp;b=2">Go</a>.', 'Go (https://x.test/?a=1&b=2).'],
    ['the address of a link is not repeated where it is the text', '<a href="https://x.test/">x.test</a>', 'x.test'],
    [
      'a link on an image shows the text of the image',
      '<a href="https://x.test"><img alt="Shop"></a>',
      'Shop (https://x.test)',
    ],
    ['a link without text is its address', 'a<a href="https://x.test"><img></a>b', 'a https://x.test b'],
    ['links to anchors and scripts are text', '<a href="#top">Up</a> <a href="javascript:x()">X</a>', 'Up X'],
    ['lists have dashes and numbers', '<ul><li>a<li>b<ol start="3"><li>c</ol></ul>d', '- a\n- b\n  3. c\n\nd'],
    [
      'rows are lines, and cells are separated by spaces',
      '<table><tr><td>a</td><td>b</td></tr><tr><td>c</table>',
      'a b\nc',
    ],
    ['entities are characters', '&lt;&eacute;&#8364;&#x1F389;&amp;amp;&nope;&', '<é€🎉&amp;&nope;&'],
    ['invalid characters are replaced', '&#0;&#xD800;&#99999999;', '\ufffd\ufffd\ufffd'],
    [
      'head, style, script and comments are left out',
      '<head><title>t</title></head><style>a<b</style>x<!-- y -->z<script>"</p>"</script>',
      'xz',
    ],
    ['a head without an end tag ends where the body begins', '<head><meta charset=utf-8><body>x', 'x'],
    ['hidden preheaders are left out', '<div style="color:red; display: none"><div>pre</div></div>x', 'x'],
    ['preformatted text keeps its lines', '<pre>a\n  b</pre>', 'a\n  b'],
    ['an angle bracket that begins no tag is text', '1 < 2 and 3>2', '1 < 2 and 3>2'],
    ['empty html is empty text', '', ''],
  ])('%s', (_, html, text) => {
    expect(htmlToText(html)).toBe(text);
  });

  it('returns a text of bounded length for any input', () => {
    const piece = fc.constantFrom(
      '<',
      '>',
      '</',
      '<a href="',
      '"',
      "'",
      '=',
      '<!--',
      '-->',
      '&',
      '&#',
      ';',
      '<li>',
      '<ol>',
    );
    const html = fc.array(fc.oneof(piece, fc.string({ unit: 'binary' })), { maxLength: 30 }).map((all) => all.join(''));
    fc.assert(
      fc.property(html, (input) => {
        const text = htmlToText(input);
        expect(text.length).toBeLessThanOrEqual(input.length * 10);
      }),
    );
  });
});
