import { expect, it } from '@jest/globals';
import { usedNames } from './used-names.js';

it('the names of all tags of a broadcast are known, each once', () => {
  const names = usedNames({
    subject: '{{{SEATS}}}',
    previewText: '{{{email}}}',
    html: '{{{Seats|1}}} {{x}}',
    text: null,
  });
  expect([...names]).toEqual(['seats', 'email', 'x']);
});
