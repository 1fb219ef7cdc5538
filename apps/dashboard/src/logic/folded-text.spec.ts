import { expect, it } from '@jest/globals';
import { foldedText } from './folded-text.js';

it.each([
  [
    'Yes.\n\nOn Friday, Ada wrote:\n> Is it here?\n>\n> Ada\n',
    'Yes.',
    'On Friday, Ada wrote:\n> Is it here?\n>\n> Ada',
  ],
  ['Ja.\n\nAm Freitag schrieb Ada\n<ada@a.test>:\n\n> Da?', 'Ja.', 'Am Freitag schrieb Ada\n<ada@a.test>:\n\n> Da?'],
  ['Yes.\n\n-----Original Message-----\nFrom: Ada\n\nHere?', 'Yes.', '-----Original Message-----\nFrom: Ada\n\nHere?'],
  [
    'No.\n________________________________\nFrom: Ada\nHere?',
    'No.',
    '________________________________\nFrom: Ada\nHere?',
  ],
])('what the author wrote is shown, and the quotation that ends it is folded: %j', (text, shown, quoted) => {
  expect(foldedText(text)).toEqual({ shown, quoted });
});

it.each(['Hello\nAda', '> Is it here?\n\nYes.', '> Only a quotation', 'a\n_________________\nb', ''])(
  'nothing is folded where an answer stands below, or nothing else is there: %j',
  (text) => {
    expect(foldedText(text)).toEqual({ shown: text, quoted: '' });
  },
);

it('takes linear time', () => {
  const text = `Hello\n${'> x\n'.repeat(50_000)}${'-'.repeat(50_000)}`;
  expect(foldedText(text).quoted).toBe('');
});
