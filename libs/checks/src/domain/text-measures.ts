/** Letters of scripts that are written without spaces between words. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/gu;

/** Whether words cannot be told apart by spaces: a fifth of the characters are of such scripts. */
export function isUnspaced(text: string): boolean {
  return (text.match(unspaced)?.length ?? 0) * 5 > text.length;
}

/** The number of words. Two letters of a script without spaces count as one word. */
export function wordCount(text: string): number {
  const letters = text.match(unspaced)?.length ?? 0;
  const spaced = text.replace(unspaced, ' ').split(/\s+/);
  return spaced.filter((word) => /[\p{L}\p{N}]/u.test(word)).length + Math.ceil(letters / 2);
}

/** Characters as wide as a Latin letter: those of East Asia count twice. */
export function widthOf(text: string): number {
  return [...text].length + (text.match(unspaced)?.length ?? 0);
}
