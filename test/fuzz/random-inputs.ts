import fc from 'fast-check';
import { RemoteParser } from './remote-parser.js';

export interface InputOptions {
  readonly seed: number;
  readonly count: number;
  readonly maxCharacters: number;
}

/** One mutation of a text; positions are fractions of its length. */
interface Change {
  readonly kind: 'insert' | 'delete' | 'repeat' | 'replace';
  readonly at: number;
  readonly length: number;
  readonly piece: string;
  readonly times: number;
}

/** Inputs of three kinds: random characters, runs of pieces of the grammar, and mutated examples. */
export function randomInputs(
  { pieces, examples }: RemoteParser,
  { seed, count, maxCharacters }: InputOptions,
): string[] {
  const piece = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...pieces) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(' ', '\t', '\r\n', '\n', '\0', 'a', '9', '\xff', '\u2028', '\ud800', '😀'),
    },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 8 }) },
  );
  // Most runs are short, so that inputs are meaningful; some fill the whole input.
  const times = fc.oneof(
    { weight: 6, arbitrary: fc.integer({ min: 1, max: 4 }) },
    { weight: 2, arbitrary: fc.integer({ min: 5, max: 300 }) },
    { weight: 1, arbitrary: fc.integer({ min: 300, max: maxCharacters }) },
  );
  const runs = fc
    .array(fc.tuple(piece, times), { maxLength: 40 })
    .map((parts) => parts.map(([text, often]) => repeated(text, often, maxCharacters)).join(''));
  const change: fc.Arbitrary<Change> = fc.record({
    kind: fc.constantFrom('insert', 'delete', 'repeat', 'replace'),
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    length: fc.integer({ min: 0, max: 30 }),
    piece,
    times,
  });
  const mutated = fc
    .tuple(fc.constantFrom(...examples), fc.array(change, { minLength: 1, maxLength: 12 }))
    .map(([example, changes]) => changes.reduce((text, one) => changed(text, one, maxCharacters), example));
  const input = fc.oneof(
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 400 }) },
    { weight: 4, arbitrary: runs },
    { weight: 5, arbitrary: mutated },
    { weight: 1, arbitrary: fc.tuple(mutated, times).map(([text, often]) => repeated(text, often, maxCharacters)) },
  );
  return fc.sample(input, { seed, numRuns: count }).map((text) => text.slice(0, maxCharacters));
}

function changed(text: string, { kind, at, length, piece, times }: Change, maxCharacters: number): string {
  const start = Math.floor(at * text.length);
  const before = text.slice(0, start);
  const part = text.slice(start, start + length);
  const after = text.slice(start + length);
  switch (kind) {
    case 'insert':
      return before + repeated(piece, times, maxCharacters - text.length) + part + after;
    case 'delete':
      return before + after;
    case 'repeat':
      return before + repeated(part, times, maxCharacters - text.length) + after;
    case 'replace':
      return before + piece + after;
  }
}

function repeated(text: string, times: number, room: number): string {
  if (text === '') return '';
  return text.repeat(Math.max(0, Math.min(times, Math.floor(room / text.length))));
}
