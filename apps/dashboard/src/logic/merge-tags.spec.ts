import { expect, it } from '@jest/globals';
import { namesOfTags, undefinedNames } from './merge-tags.js';

it('finds the names of tags, each once, and leaves out what every template has', () => {
  const text = '{{{NAME|there}}} {{ order }} {{{name}}} {{{FIRST_NAME}}} {{{contact.plan}}} {{not a tag}} {{{TOTAL}}}';
  expect(namesOfTags(text)).toEqual(['NAME', 'order', 'TOTAL']);
  expect(namesOfTags('{{{OPEN')).toEqual([]);
  expect(namesOfTags('{{'.repeat(10_000))).toEqual([]);
});

it('says which of them are not defined', () => {
  expect(undefinedNames(['{{A}}', 'Hello {{{B}}}'], ['a'])).toEqual(['B']);
});
