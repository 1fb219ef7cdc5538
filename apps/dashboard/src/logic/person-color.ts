/** White words can be read on each of them (contrast of 5 and more). */
const colors = ['#b4234a', '#9a3412', '#3f6212', '#0f766e', '#1d4ed8', '#6d28d9', '#a21caf', '#475569'];

/** The same one for the same person, wherever it is seen. */
export function colorOfPerson(id: string): string {
  let sum = 0;
  for (const sign of id) sum = (sum * 31 + sign.charCodeAt(0)) % 65_521;
  return colors[sum % colors.length] as string;
}
