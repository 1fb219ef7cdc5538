import { Refusal } from './row.js';

export const reportHeader = 'line,column,value,reason\r\n';

/** A line of the report of refused rows. */
export function reportLine({ line, column, value, reason }: Refusal): string {
  return `${line},${cell(column)},${cell(value)},${cell(reason)}\r\n`;
}

/** The last line of a report that does not hold all refused rows. */
export function reportEnd(missing: number): string {
  return missing > 0 ? `,,,${cell(`${missing} more rows were refused than this report holds.`)}\r\n` : '';
}

/**
 * A cell with quotes. Spreadsheets take a cell that begins with one of these characters for a formula and run it, and
 * files of contacts hold what strangers typed into forms: an apostrophe in front makes it text.
 */
function cell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return `"${safe.replaceAll('"', '""')}"`;
}
