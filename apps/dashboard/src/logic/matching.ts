/** Whether every word that was typed begins a word of the text. */
export function matching(text: string, typed: string): boolean {
  const words = text.toLowerCase().split(/[\s/:_-]/);
  const wanted = typed.toLowerCase().split(' ').filter(Boolean);
  return wanted.every((part) => words.some((word) => word.startsWith(part)) || text.toLowerCase().includes(part));
}
