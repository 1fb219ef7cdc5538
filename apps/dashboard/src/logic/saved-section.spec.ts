import { expect, it } from '@jest/globals';
import { asSection, copyOf, isSameSection } from './saved-section.js';

const paragraph = (text: string) => ({ type: 'paragraph', content: [{ type: 'text', text }] });

it('blocks become a section, and a section alone stays what it is', () => {
  expect(asSection([paragraph('a'), paragraph('b')])).toEqual({
    type: 'section',
    content: [paragraph('a'), paragraph('b')],
  });
  const box = { type: 'section', attrs: { background: '#ffeeee', radius: null }, content: [paragraph('a')] };
  expect(asSection([{ ...box, attrs: { ...box.attrs, savedId: 'x' } }])).toEqual({
    ...box,
    attrs: { background: '#ffeeee' },
  });
});

it('a copy is the same as its section whatever space it has below, until something in it changes', () => {
  const section = { type: 'section', attrs: { radius: 8, background: '#ffeeee' }, content: [paragraph('a')] };
  const copy = copyOf({ ...section, attrs: { background: '#ffeeee', radius: 8, space: 40 } }, 'x');
  expect(isSameSection(copy, section)).toBe(true);
  expect(isSameSection({ ...copy, content: [paragraph('b')] }, section)).toBe(false);
});
