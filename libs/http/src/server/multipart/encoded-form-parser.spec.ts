import { describe, expect, it } from '@jest/globals';
import { EncodedFormParser } from './encoded-form-parser.js';

const limits = { maxFieldBytes: 1_000, maxFields: 20 };

function fieldsOf(body: string, chunkBytes = 1_000, within = limits): unknown[] {
  const parser = new EncodedFormParser(within);
  const seen: unknown[] = [];
  parser.on('field', (name, value, _, isCut) => seen.push(isCut ? [name, value, 'cut'] : [name, value]));
  parser.on('fieldsLimit', () => seen.push('too many'));
  parser.on('finish', () => seen.push('end'));
  const bytes = Buffer.from(body);
  for (let at = 0; at < bytes.length; at += chunkBytes) parser.write(bytes.subarray(at, at + chunkBytes));
  parser.end();
  return seen;
}

describe('a form that arrives in chunks', () => {
  it.each([
    'a=1&b=2',
    'a=x+y%2Bz&%C3%A4=%e2%82%ac',
    'a=1=2&=v&n&&n=',
    'a=%&b=%4&c=%zz&d=%%41&e=%4%41',
    'a=100%',
    'a=100%4',
    'text=ü€😀',
    '',
  ])('%j has the fields that URLSearchParams reads, wherever the chunks end', (body) => {
    const expected = [...new URLSearchParams(body)].filter(([name, value]) => `${name}${value}` !== '');
    for (const chunkBytes of [1, 2, 3, 1_000]) expect(fieldsOf(body, chunkBytes)).toEqual([...expected, 'end']);
  });

  it('a value that is too long is cut, and nothing after it is read', () => {
    const [field, ...rest] = fieldsOf(`a=${'x'.repeat(5_000)}&b=1`) as [unknown[], ...unknown[]];
    expect([field[0], field[2], rest]).toEqual(['a', 'cut', ['end']]);
  });

  it('too many fields are noticed once', () => {
    expect(fieldsOf('a=1&b=2&c=3&d=4', 3, { maxFieldBytes: 10, maxFields: 2 })).toEqual([
      ['a', '1'],
      ['b', '2'],
      'too many',
      'end',
    ]);
  });

  it('a name has at most 100 bytes', () => {
    expect(fieldsOf(`${'n'.repeat(150)}=1`)).toEqual([['n'.repeat(100), '1'], 'end']);
  });
});
