import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { EncodedBytes, LargeText, ValidationError } from '#kernel';
import { ParserThreads, UnreadableError } from '#platform/parsing';
import { documentOf, paragraphOf, words } from '../../../../../test/support/builders/editor-documents.js';
import { composerOf } from '../../../../../test/support/fakes/in-memory-editor.js';
import { maxDocumentBytes } from '../../domain/document/document-node.js';
import { DocumentTooLargeError, parseDocument } from '../../domain/document/parse-document.js';
import { documentBytes } from './document-bytes.js';
import type { RenderingOrder } from './document.parser.js';
import { ThreadedDocumentComposer } from './threaded-document-composer.js';

let threads: ParserThreads;
let composer: ThreadedDocumentComposer;
beforeEach(() => {
  threads = new ParserThreads();
  composer = composerOf(threads);
});
afterEach(() => threads.stop());

const look: Pick<RenderingOrder, 'kind' | 'styles'> = { kind: 'template', styles: { button: '#00aa00' } };
const countdown = { type: 'countdown', attrs: { until: '2027-01-31T09:00:00Z', color: '#112233', language: 'de' } };
const manyWords = Array.from({ length: 200 }, (_, n) => paragraphOf(`${n} ${'word '.repeat(20)}`));

it('a large document is composed in a thread, a small one here, with the same result', async () => {
  const button = { type: 'button', attrs: { href: 'https://acme.test' }, content: [words('Read')] };
  const small = await composer.compose('team', documentOf(button, countdown), look);
  expect(threads.count).toBe(0);
  const large = await composer.compose('team', documentOf(button, countdown, ...manyWords), look);
  expect(threads.count).toBe(1);
  for (const { html, document } of [small, large]) {
    expect(html).toContain('background-color:#00aa00');
    expect(JSON.parse(document)).toEqual(parseDocument(JSON.parse(document)).document);
  }
  const imageOf = (html: string): string | undefined => /src="([^"]*countdown[^"]*)"/.exec(html)?.[1];
  expect(imageOf(small.html)).toBe(imageOf(large.html));
  expect(large.text).toContain('199 word');
});

it('a document is only checked where it is not rendered', async () => {
  const { document, notes } = await composer.check('team', documentOf({ ...countdown, content: manyWords }));
  expect(JSON.parse(document)).toEqual(parseDocument(documentOf(countdown)).document);
  expect(notes).toEqual(['The content of `countdown` was left out.']);
});

it.each([
  ['a small document', []],
  ['a large document', manyWords],
])('a refusal of %s is the error that the check throws', async (_, more) => {
  const unknown = documentOf(...more, { type: 'marquee' });
  const refused = composer.compose('team', unknown, look);
  await expect(refused).rejects.toBeInstanceOf(ValidationError);
  await expect(refused).rejects.toMatchObject({ name: 'ValidationError', message: 'The node `marquee` is not known.' });
});

it('a document that is too large is refused by its own size, and without being written where it is far too large', async () => {
  const slightly = documentOf(paragraphOf('x'.repeat(maxDocumentBytes)));
  await expect(composer.compose('team', slightly, look)).rejects.toBeInstanceOf(DocumentTooLargeError);
  const largely = { type: 'doc', unknown: LargeText.from('x'.repeat(4 * maxDocumentBytes)) };
  expect(() => documentBytes(largely)).toThrow(DocumentTooLargeError);
  await expect(composer.check('team', largely)).rejects.toBeInstanceOf(DocumentTooLargeError);
});

it('a document of any depth is refused or checked', async () => {
  const deep = JSON.parse(`${'{"type":"section","content":['.repeat(20_000)}${']}'.repeat(20_000)}`) as object;
  await expect(composer.check('team', documentOf(deep))).rejects.toThrow('at most 24 nodes deep');
});

it('texts of a large request are written as their text', () => {
  const given = {
    a: LargeText.from('grüß "dich"'),
    b: new EncodedBytes(Buffer.from('abc')),
    c: new EncodedBytes(undefined),
  };
  expect(JSON.parse(Buffer.from(documentBytes(given)).toString())).toEqual({ a: 'grüß "dich"', b: 'YWJj', c: null });
});

it('a document that takes too long is refused', async () => {
  const run = (): Promise<never> => Promise.reject(new UnreadableError('took too long'));
  const slow = composerOf({ run } as unknown as ParserThreads);
  await expect(slow.check('team', documentOf())).rejects.toThrow('takes too much time or memory');
});
