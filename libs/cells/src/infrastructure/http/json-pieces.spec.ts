import { expect, it } from '@jest/globals';
import { EncodedBytes, LargeText } from '#kernel';
import { jsonPieces } from './json-pieces.js';

it('a parsed body becomes the JSON that it was', () => {
  const bytes = Buffer.alloc(100_000, 'abc');
  const email = {
    from: 'Acme <hello@acme.test>',
    html: LargeText.from('<p>“Hello”</p>'.repeat(5_000)),
    attachments: [
      { filename: 'a.bin', content: new EncodedBytes(bytes) },
      { content: new EncodedBytes(bytes.subarray(1, 5)) },
    ],
    headers: {},
  };
  const pieces = [...jsonPieces([email, { from: 'b' }])];
  expect(JSON.parse(pieces.join(''))).toEqual([
    {
      ...email,
      html: email.html.toString(),
      attachments: [
        { filename: 'a.bin', content: bytes.toString('base64') },
        { content: bytes.subarray(1, 5).toString('base64') },
      ],
    },
    { from: 'b' },
  ]);
  expect(pieces.length).toBeGreaterThan(5);
});
