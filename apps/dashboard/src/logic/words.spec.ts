import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const folder = 'apps/dashboard/src/words';
const parts = readdirSync(join(folder, 'en'));

/** Every text of a part, by its key. */
function textsOf(language: string, part: string): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  const collect = (value: unknown, key: string): void => {
    if (typeof value === 'string') texts.set(key, value);
    else
      for (const [name, inner] of Object.entries(value as object)) collect(inner, key === '' ? name : `${key}.${name}`);
  };
  collect(JSON.parse(readFileSync(join(folder, language, part), 'utf8')), '');
  return texts;
}

const placeholders = (text: string): string[] => (text.match(/\{\{\w+\}\}/g) ?? []).sort();

describe.each(['de', 'ja'])('the catalogue in %s', (language) => {
  it('has the same parts as the English one', () => {
    expect(readdirSync(join(folder, language))).toEqual(parts);
  });

  it.each(parts)('%s has the same keys, with the same placeholders', (part) => {
    const english = textsOf('en', part);
    const other = textsOf(language, part);
    expect([...other.keys()].sort()).toEqual([...english.keys()].sort());
    // A singular may say its number in words, or have none.
    const differing = [...english].filter(
      ([key, text]) => !key.endsWith('_one') && placeholders(text).join() !== placeholders(other.get(key) ?? '').join(),
    );
    expect(differing.map(([key]) => key)).toEqual([]);
    expect([...other].filter(([, text]) => text.trim() === '')).toEqual([]);
  });
});
