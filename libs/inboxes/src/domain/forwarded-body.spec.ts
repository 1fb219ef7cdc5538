import { expect, it } from '@jest/globals';
import { forwardedBody } from './forwarded-body.js';

const email = { from: '"A" <a@b.test>', to: ['c@d.test'], subject: '<Hi>', receivedAt: new Date(0) };
const none = { html: null, text: null };

it('the text of what is forwarded stands below what was written', () => {
  const { html, text } = forwardedBody({ html: null, text: 'Look' }, email, { html: null, text: 'When?' });
  expect(html).toBeNull();
  expect(text).toBe(
    'Look\n\n---------- Forwarded message ----------\nFrom: "A" <a@b.test>\n' +
      'Date: Thu, 01 Jan 1970 00:00:00 GMT\nSubject: <Hi>\nTo: c@d.test\n\nWhen?',
  );
});

it('html stands in front of the document, behind its type, and text in it is escaped', () => {
  const original = { html: '<!DOCTYPE html><style>p{}</style><BODY class=x><p>When?</p></BODY>', text: 'When?' };
  const { html, text } = forwardedBody({ html: null, text: 'a < b\nc' }, email, original);
  expect(html).toMatch(
    /^<!DOCTYPE html><p>a &#60; b<br>c<\/p><p>-.*From: &#34;A&#34; &#60;a@b.test&#62;.*<style>p\{\}<\/style><BODY class=x>/,
  );
  expect(html).toContain('Subject: &#60;Hi&#62;<br>To: c@d.test</p><style>');
  expect(text).toMatch(/^a < b\nc\n\n-/);
});

it('text is derived where only html is there, and an email is forwarded without a word', () => {
  expect(forwardedBody({ html: '<b>x</b>', text: null }, email, { html: null, text: 'a<b' })).toMatchObject({
    html: expect.stringMatching(/^<b>x<\/b><p>-.*<p>a&#60;b<\/p>$/),
    text: null,
  });
  expect(forwardedBody(none, email, { html: '<p>x</p>', text: null }).text).toBeNull();
  expect(forwardedBody(none, email, none).text).toMatch(/^-+ Forwarded/);
});

it.each(['<!-- <body> -->', '<title><body>', '<body title=">', '<textarea><body>'])('%s hides nothing', (beginning) => {
  const { html } = forwardedBody({ html: '<p>x</p>', text: null }, email, { html: `${beginning}y`, text: null });
  expect(html).toMatch(/^<p>x<\/p><p>-+ Forwarded/);
});
