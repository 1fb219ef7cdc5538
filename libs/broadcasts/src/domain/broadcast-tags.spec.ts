import { expect, it } from '@jest/globals';
import { BroadcastContent } from './broadcast.js';
import { checkTags, usedNames } from './broadcast-tags.js';

const unsubscribe = new Set(['unsubscribe_url', 'resend_unsubscribe_url']);
const properties = [
  { key: 'Plan', fallbackValue: 'free' },
  { key: 'city', fallbackValue: null },
];
const content = (fields: Partial<BroadcastContent>): BroadcastContent => ({
  from: '',
  replyTo: null,
  subject: '',
  previewText: null,
  html: null,
  text: null,
  ...fields,
});
const check = (fields: Partial<BroadcastContent>, subjects: string[] = []) =>
  checkTags(content(fields), subjects, properties, unsubscribe);

it('every tag needs a value or a fallback, wherever it is', () => {
  check({ html: '{{{FIRST_NAME}}} {{{plan}}} {{{contact.email}}} {{{city|here}}} {{{x|}}} {{{UNSUBSCRIBE_URL}}}' });
  for (const where of ['subject', 'previewText', 'html', 'text']) {
    expect(() => check({ [where]: '{{{contact.CITY}}}' })).toThrow('`contact.CITY` may have no value');
  }
  expect(() => check({}, ['{{{a}}}'])).toThrow('The tag `a` may');
  expect(() => check({ html: '{{{a}}}{{{b}}}{{{A}}}' })).toThrow('The tags `A`, `b` may');
});

it('two braces of an unknown name belong to someone else', () => {
  check({ html: '{{unknown}}' });
  expect(() => check({ html: '{{city}}' })).toThrow('`city`');
});

it('names are bounded, and so is the error', () => {
  const tags = (count: number, end: string) => Array.from({ length: count }, (_, n) => `{{{n${n}${end}}}}`).join('');
  expect(() => check({ html: tags(81, '|x') })).toThrow('at most 80 names');
  expect(() => check({ html: tags(500, '') })).toThrow(/^The tags `n0`, .*`n9` may/);
});

it('the names of all tags of a broadcast are known, each once', () => {
  const names = usedNames({
    subject: '{{{SEATS}}}',
    previewText: '{{{email}}}',
    html: '{{{Seats|1}}} {{x}}',
    text: null,
  });
  expect([...names]).toEqual(['seats', 'email', 'x']);
});
