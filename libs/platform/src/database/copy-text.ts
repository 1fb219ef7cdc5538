/**
 * A row for `COPY … FROM STDIN` in its text format, with the line end. `null` is SQL's NULL. The values must not contain NUL, which
 * PostgreSQL stores nowhere.
 */
export function copyRow(values: readonly (string | null)[]): string {
  let row = '';
  for (let no = 0; no < values.length; no++) {
    const value = values[no] as string | null;
    if (no > 0) row += '\t';
    row += value === null ? '\\N' : escaped(value);
  }
  return `${row}\n`;
}

const special = /[\\\t\n\r]/;
const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

function escaped(value: string): string {
  return special.test(value) ? value.replace(/[\\\t\n\r]/g, (character) => escapes[character] as string) : value;
}
