const delimiters = [',', ';', '\t', '|'];

/** The names of the columns: the cells of the first line, by the delimiter that divides it most often. */
export function columnsOfCsv(head: string): string[] {
  const lines = head.replace(/^\ufeff/, '').split(/\r\n|\n|\r/, 2);
  const declared = /^sep=(.)$/.exec(lines[0] ?? '')?.[1];
  const line = declared === undefined ? (lines[0] ?? '') : (lines[1] ?? '');
  const tried = declared === undefined ? delimiters : [declared];
  const found = tried.map((delimiter) => cells(line, delimiter));
  const most = found.reduce((best, one) => (one.length > best.length ? one : best), []);
  return [...new Set(most.map((cell) => cell.trim()).filter((cell) => cell !== ''))];
}

function cells(line: string, delimiter: string): string[] {
  const found = [''];
  let isQuoted = false;
  for (const character of line) {
    const last = found.length - 1;
    if (character === '"') isQuoted = !isQuoted;
    else if (character === delimiter && !isQuoted) found.push('');
    else found[last] += character;
  }
  return found;
}

const names = {
  email: ['email', 'e-mail', 'mail', 'email address', 'e-mail-adresse', 'メールアドレス'],
  first_name: ['first_name', 'first name', 'firstname', 'given name', 'vorname', '名'],
  last_name: ['last_name', 'last name', 'lastname', 'surname', 'family name', 'nachname', '姓'],
} as const;

/** Which column is which field, by the names that are common. */
export function guessedColumns(columns: readonly string[]): Partial<Record<keyof typeof names, string>> {
  const guess = (known: readonly string[]): string | undefined =>
    columns.find((column) => known.includes(column.toLowerCase()));
  return {
    email: guess(names.email) ?? columns.find((column) => column.toLowerCase().includes('mail')),
    first_name: guess(names.first_name),
    last_name: guess(names.last_name),
  };
}
