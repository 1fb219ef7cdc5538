const maxLength = 100;
const maxNames = 500;

/** The name that a mistyped one is likely to stand for: it differs in at most two letters. Undefined: there is none. */
export function nearestName(given: string, names: readonly string[]): string | undefined {
  if (given.length > maxLength) return undefined;
  let [nearest, least]: [string | undefined, number] = [undefined, 3];
  for (const name of names.slice(0, maxNames)) {
    if (Math.abs(name.length - given.length) >= least || name.length > maxLength) continue;
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
