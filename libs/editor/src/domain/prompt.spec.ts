import { expect, it } from '@jest/globals';
import { parseDocument } from './document/parse-document.js';
import { markTypes, nodeTypes } from './document/schema.js';
import { schemaPrompt } from './prompt.js';

it('the description names exactly the nodes and marks that are taken, and its example is taken', () => {
  const prompt = schemaPrompt();
  const named = (part: string): string[] =>
    [...(prompt.split(`## ${part}\n`)[1]?.split('\n## ')[0] ?? '').matchAll(/^- (\w+)/gm)].map(
      ([, name]) => name as string,
    );
  expect(named('Nodes')).toEqual(Object.keys(nodeTypes));
  expect(named('Marks')).toEqual(Object.keys(markTypes));
  const example: unknown = JSON.parse(prompt.slice(prompt.indexOf('{', prompt.indexOf('## Example'))));
  expect(parseDocument(example)).toEqual({ document: example, notes: [] });
});
