import { expect, it } from '@jest/globals';
import { MergeTemplate } from '#kernel';
import { personalValues, usedNames } from './personal-values.js';

const ada = {
  ...{ id: '1', email: 'ada@x.test', firstName: 'Ada', lastName: null, unsubscribed: false },
  properties: { Plan: 'free', seats: 3, city: null, unused: 'x' },
  lacking: new Set(['Plan', 'city']),
};

const rendered = (html: string): string => {
  const names = usedNames({ subject: '', previewText: null, html, text: null });
  return new MergeTemplate(html, 'text').render(personalValues(ada, names));
};

it('a tag becomes the value of the contact, its own fallback, the stored fallback, or nothing', () => {
  expect(rendered('{{{FIRST_NAME|you}}} {{{contact.email}}} {{{seats|1}}}')).toBe('Ada ada@x.test 3');
  expect(rendered('{{{plan|pro}}} {{{PLAN}}}')).toBe('pro free');
  expect(rendered('[{{{last_name}}}] {{{LAST_NAME|there}}} [{{{city}}}] [{{city}}]')).toBe('[] there [] []');
});

it('only the values that are used are given', () => {
  const names = usedNames({ subject: '{{{SEATS}}}', previewText: '{{{email}}}', html: '{{{other}}}', text: null });
  expect(Object.keys(personalValues(ada, names)).sort()).toEqual(['email', 'seats']);
});
