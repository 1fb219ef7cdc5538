import { expect, it } from '@jest/globals';
import { addressSpellings } from '#postgres/privacy';
import { withoutAddress } from './stored-header.js';

const { within } = addressSpellings('ada@x.test');

function erase(header: string, encoding: 'utf8' | 'latin1' = 'utf8'): string {
  const bytes = Buffer.from(header, encoding).toString('latin1');
  const changed = withoutAddress(bytes, within);
  expect(changed).toHaveLength(bytes.length);
  return Buffer.from(changed, 'latin1')
    .toString(encoding)
    .replaceAll(/erased +/g, 'erased');
}

it.each([
  ['To: ada@x.test', 'To: erased'],
  ['To: Ada <ada@x.test>, Bob <bob@x.test>', 'To: erased, Bob <bob@x.test>'],
  ['To: Bob <bob@x.test>, "Lovelace, Ada" <ADA@x.test>', 'To: Bob <bob@x.test>, erased'],
  [
    'To: Bob <bob@x.test>,\r\n =?utf-8?Q?Ad=C3=A4?= <ada@x.test>\r\nSubject: x',
    'To: Bob <bob@x.test>,\r\n erased\r\nSubject: x',
  ],
  ['To: Ädä <ada@x.test>, x@x.test', 'To: erased, x@x.test'],
  ['X-For: for ada@x.test.', 'X-For: for erased.'],
  ['To: maria.ada@x.test, ada@x.test.example', 'To: maria.ada@x.test, ada@x.test.example'],
  ['List-Unsubscribe: <https://x.test/?to=ada%40x.test>', 'List-Unsubscribe: <https://x.test/?to=erased>'],
])('%j', (header, expected) => expect(erase(header)).toBe(expected));

it('a header that is not in UTF-8 keeps its bytes', () => {
  expect(erase('To: Jürgen <j@x.test>, Ada <ada@x.test>', 'latin1')).toBe('To: Jürgen <j@x.test>, erased');
});
