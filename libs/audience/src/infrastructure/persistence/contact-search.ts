import { SearchedNames } from '../../application/ports/contact-repository.port.js';

/**
 * Up to this number of matches of each kind they are sorted; beyond it, the list is read in its order until the page is
 * full.
 */
export const maxSortedMatches = 5_000;
/**
 * Number of contacts of the list that a search reads in its order. Where that does not fill the page, the matches lie
 * together.
 */
export const maxReadInOrder = 20_000;

/** Maximum length of an address or a name, in characters. */
const maxFieldLength = 320;

/** What is searched, without differences of case. */
export interface FoldedSearch {
  /** In the form of `contactKey`. */
  readonly address: string;
  readonly text: string;
  readonly names: readonly SearchedNames[];
}

export interface SearchClauses {
  /** One condition for each index. */
  readonly conditions: readonly string[];
  readonly values: readonly string[];
}

/**
 * Conditions on the columns of `contacts` (alias `c`). They are ranges of the `text_pattern_ops` indexes and not LIKE,
 * which uses no index in a generic plan.
 */
export function searchClauses({ address, text, names }: FoldedSearch, firstParameter: number): SearchClauses {
  const values: string[] = [];
  const add = (value: string): string => `$${firstParameter + values.push(value) - 1}`;
  const begins = (column: string, prefix: string): string =>
    `${column} ~>=~ ${add(prefix)} AND ${column} ~<~ ${add(endOfPrefix(prefix))}`;
  const conditions = [
    begins('c.email', address),
    begins('folded_case(c.first_name)', text),
    begins('folded_case(c.last_name)', text),
    ...names.map(
      ({ first, last }) => `folded_case(c.first_name) = ${add(first)} AND ${begins('folded_case(c.last_name)', last)}`,
    ),
  ];
  return { conditions, values };
}

/** The lowest text, byte by byte, that is above all texts with this prefix. */
export function endOfPrefix(prefix: string): string {
  const points = [...prefix].map((character) => character.codePointAt(0) as number);
  for (let last = points.pop(); last !== undefined; last = points.pop()) {
    if (last === 0x10ffff) continue;
    // The surrogates are no characters.
    const next = last === 0xd7ff ? 0xe000 : last + 1;
    return String.fromCodePoint(...points, next);
  }
  // No text follows the last character: above it is only a longer text of it than any field holds.
  return '\u{10ffff}'.repeat(maxFieldLength + 1);
}
