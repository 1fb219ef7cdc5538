import { describe, expect, it } from '@jest/globals';
import { htmlFactsOf } from './html-facts.js';

const factsOf = (html: string) => htmlFactsOf(html, html.length);
const pairs = (html: string): string[] =>
  factsOf(html).colours.map(({ text, background, sample }) => `${sample}: ${text.join()} on ${background.join()}`);

describe('what html looks like', () => {
  it.each([
    ['position', '<p style="Position : absolute">a</p>'],
    ['grid', '<style>.a{display:grid}</style>'],
    ['flex', '<div style="margin:0; display: inline-flex">a</div>'],
    ['variables', '<style>a{color:var(--ink)}</style>'],
    ['animation', '<style>@keyframes a{}</style>'],
    ['import', '<style>@import url(a.css);</style>'],
    ['background_image', '<td style="background:#fff URL(&quot;a.png&quot;)">a</td>'],
    ['calc', '<p style="width:calc(100% - 1px)">a</p>'],
    ['svg', '<img src="https://a.test/logo.svg?1">'],
    ['svg', '<svg><path d=""/></svg>'],
    ['webp', '<img src="https://a.test/a.webp">'],
    ['video', '<video src="a.mp4"></video>'],
    ['stylesheet', '<link rel="stylesheet" href="a.css">'],
    ['large_style', `<style>${'a{margin:0}'.repeat(2_000)}</style>`],
  ])('has %s, which mail clients leave out', (feature, html) => {
    expect(factsOf(html).features).toEqual([feature]);
  });

  it('has none of it in ordinary mail, and not in what is not shown', () => {
    const html =
      '<p style="background-position:top;color:#222;font-family:flex">position: absolute</p><!-- <svg> --><img src="a.png">';
    expect(factsOf(html).features).toEqual([]);
  });

  it('is the colours of text, of the nearest elements that set them', () => {
    expect(
      pairs(
        '<table bgcolor="#eee"><tr><td style="color: rgb(10, 20, 30)">One<br>again<b style="background:#FFF">Two</b>' +
          '<a href="https://a.test">Three</a></td></tr></table><a href="https://a.test">Set by nobody</a><p style="color:black !important">Four</p><p>Five</p>',
      ),
    ).toEqual([
      'One: 10,20,30 on 238,238,238',
      'Two: 10,20,30 on 255,255,255',
      'Three: 0,0,238 on 238,238,238',
      'Four: 0,0,0 on 255,255,255',
    ]);
  });

  it('is unknown for hidden text, on images, and where a style sheet could set it', () => {
    const white = 'style="color:#fff"';
    expect(pairs(`<div style="display:none;color:#fff">Hidden</div>`)).toEqual([]);
    expect(pairs(`<div style="background:url(a.png)"><p ${white}>On an image</p></div>`)).toEqual([]);
    expect(pairs(`<style>body{background:#000}</style><p ${white}>On black</p>`)).toEqual([]);
    expect(pairs(`<style>.a{color:#fff}</style><p class="a" style="background:#000">White</p>`)).toEqual([]);
    expect(pairs(`<style>body{margin:0}</style><p ${white}>Unseen</p>`)).toEqual([
      'Unseen: 255,255,255 on 255,255,255',
    ]);
  });

  it.each([
    ['<meta name="color-scheme" content="light dark">'],
    ['<style>:root{color-scheme:light dark}</style>'],
    ['<style>@media (prefers-color-scheme: dark){p{color:#fff}}</style>'],
  ])('has colours for dark mode: %s', (html) => {
    expect(factsOf(html).hasColourScheme).toBe(true);
    expect(factsOf('<p style="color:#222">Hi</p>').hasColourScheme).toBe(false);
  });

  it.each([
    ['open elements', '<div style="color:#123">a'.repeat(100_000)],
    ['declarations', `<p style="${'background:'.repeat(100_000)}">a</p>`],
    ['rules', `<style>${'a{background:#fff;'.repeat(100_000)}</style>`],
    ['spaces', `<p style="color:${' '.repeat(1_000_000)}">a</p>`],
    ['closing tags', `${'<b>'.repeat(1_000)}${'</i>'.repeat(200_000)}`],
  ])(
    'is read in linear time from many %s',
    (_, html) => {
      expect(factsOf(html).colours.length).toBeLessThanOrEqual(50);
    },
    20_000,
  );
});
