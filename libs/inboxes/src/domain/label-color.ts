/** Colours that are told apart, on a light and on a dark background. */
const colors = [
  '#E5484D',
  '#E93D82',
  '#AB4ABA',
  '#6E56CF',
  '#3E63DD',
  '#0090FF',
  '#12A594',
  '#30A46C',
  '#978365',
  '#F76B15',
] as const;

/** The colour of a label for which none was chosen. `random` in [0, 1). */
export function someColor(random: number): string {
  return colors[Math.floor(random * colors.length)] ?? colors[0];
}
