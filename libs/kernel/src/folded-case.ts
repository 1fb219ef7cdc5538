/**
 * The text without differences of case, to compare it with others: νίκος is ΝΊΚΟΣ, and so is its beginning. `folded_case()` is
 * the same in SQL, whatever the locale of the database.
 *
 * It is the lower case of Unicode, in which a sigma is another letter at the end of a word. Accents stay, and ß is not ss.
 */
export function foldedCase(text: string): string {
  return text.toLowerCase().replaceAll('ς', 'σ');
}
