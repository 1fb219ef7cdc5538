import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from '@jest/globals';

interface Story {
  readonly title: string;
  readonly files: readonly string[];
}

interface House {
  stories(): readonly Story[];
  untoldLibs(): readonly { readonly lib: string }[];
  copies(): readonly (readonly string[])[];
  portsWithoutReason(): readonly { readonly name: string }[];
  equalNames(): readonly { readonly name: string; readonly files: readonly string[] }[];
}

const house = (await import(pathToFileURL(resolve('scripts/house.mjs')).href)) as House;

it('gives no two exported types the same name', () => {
  expect(house.equalNames()).toEqual([]);
});

it('has no port with one implementation that docs/extending.md does not explain', () => {
  expect(house.portsWithoutReason().map(({ name }) => name)).toEqual([]);
});

it('has no function twice', () => {
  expect(house.copies()).toEqual([]);
});

it('tells of each lib of more than 2,000 lines in a story', () => {
  expect(house.untoldLibs().map(({ lib }) => lib)).toEqual([]);
});

// A list of which the description says that it is whole without parameters is parsed as such.
it('parses lists as they are described', () => {
  const controllers = execFileSync('git', ['ls-files', 'libs/**/*.controller.ts'], { encoding: 'utf8' })
    .trim()
    .split('\n');
  const wrong = controllers.filter((file) => {
    const text = readFileSync(file, 'utf8');
    const count = (form: RegExp): number => [...text.matchAll(form)].length;
    return count(/@ResponsesWholeList\(/g) !== count(/\b(?:parseWholeListRequest|givenPage)\(query\)/g);
  });
  expect(wrong).toEqual([]);
});

/** The names by which other files know a file: its exports, and what its classes extend. */
function namesOf(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  const exported = [...text.matchAll(/^export (?:abstract |async )?(?:class|function|const|interface|type) (\w+)/gm)];
  const extended = [...text.matchAll(/\bclass \w+(?:<[^{]*>)? (?:extends|implements) (\w+)/g)];
  return [...exported, ...extended].map(([, name]) => name as string);
}

/** Whether one of the files names what the other one exports. */
function isConnected(file: string, earlier: string): boolean {
  const names = (text: string, exporter: string): boolean => {
    const exported = namesOf(exporter);
    return exported.length > 0 && new RegExp(`\\b(?:${exported.join('|')})\\b`).test(text);
  };
  return names(readFileSync(earlier, 'utf8'), file) || names(readFileSync(file, 'utf8'), earlier);
}

it.each(house.stories().map(({ title, files }) => [title, files] as const))(
  'tells a story in which each file is connected to an earlier one: %s',
  (_, files) => {
    expect(files.length).toBeGreaterThan(0);
    expect(
      files.filter((file, at) => at > 0 && !files.slice(0, at).some((earlier) => isConnected(file, earlier))),
    ).toEqual([]);
  },
);
