/** A spreadsheet runs what begins with one of these. */
const formula = /^[=+\-@\t\r]/;

/** One line of RFC 4180. What a spreadsheet would take for a formula is shown as text. */
export function csvLine(values: readonly string[]): string {
  return `${values.map(csvValue).join(',')}\r\n`;
}

function csvValue(value: string): string {
  const safe = formula.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
