/** Below this length of what is searched, `includes` is quick for any text. */
const shortLength = 16;

/**
 * Whether a text contains another, in time that grows with the sum of their lengths: `includes` takes 16 ms for some
 * texts of 60,000 characters and some of 1,000 (Knuth, Morris and Pratt).
 */
export function contains(text: string, wanted: string): boolean {
  if (wanted.length <= shortLength || wanted.length > text.length) return text.includes(wanted);
  const overlaps = overlapsOf(wanted);
  let matched = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    while (matched > 0 && wanted.charCodeAt(matched) !== code) matched = overlaps[matched - 1] ?? 0;
    if (wanted.charCodeAt(matched) === code) matched++;
    if (matched === wanted.length) return true;
  }
  return false;
}

/** For each beginning of a text, the length of its longest end that the text begins with. */
function overlapsOf(text: string): Uint16Array {
  const overlaps = new Uint16Array(text.length);
  let matched = 0;
  for (let at = 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    while (matched > 0 && text.charCodeAt(matched) !== code) matched = overlaps[matched - 1] ?? 0;
    if (text.charCodeAt(matched) === code) matched++;
    overlaps[at] = matched;
  }
  return overlaps;
}

/**
 * The text without differences of case, to compare it with others: νίκος is ΝΊΚΟΣ, and so is its beginning. `folded_case()` is
 * the same in SQL, whatever the locale of the database.
 *
 * It is the lower case of Unicode, in which a sigma is another letter at the end of a word. Accents stay, and ß is not ss.
 */
export function foldedCase(text: string): string {
  return text.toLowerCase().replaceAll('ς', 'σ');
}

const maxNameLength = 100;
const maxNames = 500;

/** The name that a mistyped one is likely to stand for: it differs in at most two letters. Undefined: there is none. */
export function nearestName(given: string, names: readonly string[]): string | undefined {
  if (given.length > maxNameLength) return undefined;
  let [nearest, least]: [string | undefined, number] = [undefined, 3];
  for (const name of names.slice(0, maxNames)) {
    if (Math.abs(name.length - given.length) >= least || name.length > maxNameLength) continue;
    const distance = distanceOf(given.toLowerCase(), name.toLowerCase());
    if (distance < least) [nearest, least] = [name, distance];
  }
  return nearest;
}

/** Letters that are added, left out or exchanged (Levenshtein). */
function distanceOf(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, place) => place);
  for (let at = 1; at <= one.length; at++) {
    const next = [at];
    for (let place = 1; place <= other.length; place++) {
      const exchanged = (row[place - 1] ?? 0) + (one[at - 1] === other[place - 1] ? 0 : 1);
      next.push(Math.min((row[place] ?? 0) + 1, (next[place - 1] ?? 0) + 1, exchanged));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}
