import { RemoteParser } from './remote-parser.js';

/** An input that can be made in any size. */
export interface GrowingInput {
  readonly name: string;
  readonly of: (characters: number) => string;
}

/** Pieces for every parser, independent of its grammar. */
const anywhere = [' ', '\t', '\r\n', '\n', 'a', '0', '=', '\xe9'];

/**
 * Inputs that make parsers slow: one piece repeated, two alternating, one opened many times and closed many times or
 * never.
 */
export function growingInputs({ pieces, more = [], examples }: RemoteParser): GrowingInput[] {
  const all = [...new Set([...pieces, ...more, ...anywhere])];
  return [
    ...all.flatMap((piece) => [
      growing(`${piece} over and over`, (n) => times(piece, n)),
      ...examples.flatMap((example, index) => [
        growing(`${piece} over and over behind example ${index}`, (n) => example + times(piece, n - example.length)),
        growing(`${piece} over and over within example ${index}`, (n) =>
          within(example, times(piece, n - example.length)),
        ),
      ]),
    ]),
    ...examples.map((example, index) => growing(`example ${index} over and over`, (n) => times(example, n))),
    ...pairsOf(pieces).flatMap(([first, second]) => [
      growing(`${first} and ${second} in turn`, (n) => times(first + second, n)),
      growing(`${first} often, then ${second} often`, (n) => times(first, n / 2) + times(second, n / 2)),
      growing(`${second} often, then ${first} often`, (n) => times(second, n / 2) + times(first, n / 2)),
    ]),
  ];
}

function pairsOf(pieces: readonly string[]): [string, string][] {
  return pieces.flatMap((first, index) => pieces.slice(index + 1).map((second): [string, string] => [first, second]));
}

function growing(name: string, of: GrowingInput['of']): GrowingInput {
  return { name: JSON.stringify(name), of: (characters) => of(characters).slice(0, characters) };
}

function times(piece: string, characters: number): string {
  return piece.repeat(Math.max(0, Math.ceil(characters / piece.length)));
}

function within(example: string, text: string): string {
  const middle = Math.floor(example.length / 2);
  return example.slice(0, middle) + text + example.slice(middle);
}
