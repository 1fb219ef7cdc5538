import { expect, it } from '@jest/globals';
import { contentChecksOf, hasOwnAddress, sampleTextsOf, type CheckedContent } from './content-checks.js';

const fine: CheckedContent = {
  type: 'broadcast',
  subject: 'News',
  html: '<p>Hello</p>',
  text: 'Hello',
  known: [],
  samples: [],
  hasAddress: true,
};
const idsOf = (changes: Partial<CheckedContent>): readonly string[] =>
  contentChecksOf({ ...fine, ...changes }).map(({ id, tone, names }) => `${tone} ${id} ${names}`.trim());

it('an email that lacks nothing has no finding', () => {
  expect(idsOf({})).toEqual([]);
});

it('a variable without a value is found in the subject and the html, unless it has a fallback or is always known', () => {
  const html = '{{{NAME}}} {{{TOWN|here}}} {{{EMAIL}}} {{{PLAN}}} {{{RESEND_UNSUBSCRIBE_URL}}} {{{NAME}}}';
  expect(idsOf({ subject: 'Dear {{{first_name}}}', html, known: ['plan'] })).toEqual([
    'bad unresolved {{{first_name}}}, {{{NAME}}}',
  ]);
});

it('text of a document to begin with is found, however it is broken into lines', () => {
  const sample = 'We packed your order this morning, and it is on its way.';
  const document = {
    type: 'doc',
    content: [
      { type: 'text', text: sample },
      { type: 'text', text: 'Short' },
    ],
  };
  const samples = sampleTextsOf([document]);
  expect(samples).toEqual([sample]);
  expect(idsOf({ samples, text: `Hello. ${sample.replaceAll(' ', '\n')} Bye.` })).toEqual([`bad sample ${sample}`]);
});

it.each([
  ['https://example.com/launch', true],
  ['http://www.example.org', true],
  ['https://example.community/', false],
  ['https://notexample.com/', false],
])('whether a link to %s is one to an example: %s', (href, isFound) => {
  expect(idsOf({ html: `<a href="${href}">Go</a>` }).length > 0).toBe(isFound);
});

it('a missing postal address is a problem of a broadcast, and worth a look in a template', () => {
  expect(idsOf({ hasAddress: false })).toEqual(['bad noAddress']);
  expect(idsOf({ hasAddress: false, type: 'template' })).toEqual(['wait noAddress']);
  expect(hasOwnAddress({ type: 'doc', content: [{ type: 'footer', attrs: { address: '1 Quay Street' } }] })).toBe(true);
  expect(hasOwnAddress({ type: 'doc', content: [{ type: 'footer' }] })).toBe(false);
});
