const delimiters = [',', ';', '\t', '|'];

/** The text of the first bytes of a file, by the rule of the server: UTF-16 with a mark, UTF-8, else what it would say. */
export function textOfCsv(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  const japanese = validText(bytes, 'shift_jis');
  return validText(bytes, 'utf-8') ?? (japanese !== undefined && isJapanese(japanese) ? japanese : europeanText(bytes));
}

function validText(bytes: Uint8Array, encoding: string): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return undefined;
  }
}

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.join('').length ?? 0;
const beyondAscii = /[^\x00-\x7f]/g;

function isJapanese(text: string): boolean {
  const words = count(text, /[\u3040-\u30ff\u3400-\u9fff\uff61-\uff9f]{2,}/g);
  return /[\u3040-\u9fff]{2}/.test(text) && words * 2 > count(text, beyondAscii);
}

/** `legacyEncoding` of the contact-imports lib, which a test compares with this. */
function europeanText(bytes: Uint8Array): string {
  const cyrillic = new TextDecoder('windows-1251').decode(bytes);
  if (count(cyrillic, /[\u0400-\u04ff]{3,}/g) * 2 > count(cyrillic, beyondAscii)) return cyrillic;
  const central = new TextDecoder('windows-1250').decode(bytes);
  const own = count(central, /[šťž]|ě(?=\p{L})|(?<=\p{L})[ąłż](?=\p{L})/giu);
  const shared = count(central, /[čćęńňřůăďđĺŕ]/gi);
  const isHungarian = shared === 0 && /ő(?!e)/i.test(central) && /[áéíóú]/i.test(central);
  return own * 4 > shared || isHungarian ? central : new TextDecoder('windows-1252').decode(bytes);
}

/**
 * The names of the columns: the cells of the first record, by the delimiter that divides it most often. A name that
 * stands there twice is left out, because the server cannot tell which column it means.
 */
export function columnsOfCsv(head: string): string[] {
  const text = head.replace(/^[\ufeff\r\n]+/, '');
  const declared = /^sep=(.)(?:\r\n|\n|\r)/.exec(text);
  const tried = declared?.[1] === undefined ? delimiters : [declared[1]];
  const found = tried.map((delimiter) => firstRecord(text.slice(declared?.[0].length ?? 0), delimiter));
  const most = found.reduce((best, one) => (one.length > best.length ? one : best), []);
  const named = most.map((cell) => cell.trim());
  return named.filter((cell) => cell !== '' && named.indexOf(cell) === named.lastIndexOf(cell));
}

function firstRecord(text: string, delimiter: string): string[] {
  const found = [''];
  let isQuoted = false;
  for (const character of text) {
    const last = found.length - 1;
    if (character === '"') isQuoted = !isQuoted;
    else if (isQuoted) found[last] += character;
    else if (character === '\n' || character === '\r') break;
    else if (character === delimiter) found.push('');
    else found[last] += character;
  }
  return found;
}

const names = {
  email: ['email', 'e-mail', 'mail', 'email address', 'e-mail-adresse', 'e-mail 1 - value', 'メールアドレス'],
  first_name: ['first_name', 'first name', 'firstname', 'given name', 'vorname', 'prénom', 'nombre', '名'],
  last_name: ['last_name', 'last name', 'lastname', 'surname', 'family name', 'nachname', 'nom', 'apellidos', '姓'],
  unsubscribed: ['unsubscribed', 'opted out', 'opted_out', 'opt out', 'opt-out', 'abgemeldet', '配信停止'],
  subscribed: [
    'subscribed',
    'accepts marketing',
    'accepts email marketing',
    'email marketing consent',
    'marketing consent',
    'opted in',
    'opted_in',
    'opt in',
    'opt-in',
    'angemeldet',
    'メルマガ',
    'メルマガ購読',
  ],
} as const;

export type OwnField = keyof typeof names;
export const ownFields = Object.keys(names) as OwnField[];

/** Which column is which field, by the names that are common. */
export function guessedColumns(columns: readonly string[]): Partial<Record<OwnField, string>> {
  const guess = (known: readonly string[]): string | undefined =>
    columns.find((column) => known.includes(column.toLowerCase()));
  const subscribed = guess(names.subscribed);
  const named = columns.find((column) => column !== subscribed && column.toLowerCase().includes('mail'));
  return {
    email: guess(names.email) ?? named,
    first_name: guess(names.first_name),
    last_name: guess(names.last_name),
    unsubscribed: guess(names.unsubscribed),
    subscribed,
  };
}

/** What is no field of its own becomes a property with the name of its column. */
export function columnMap(columns: readonly string[], chosen: Readonly<Partial<Record<OwnField, string>>>) {
  const properties: Record<string, { readonly column: string; readonly type: 'string' }> = {};
  const fields = Object.values(chosen);
  for (const column of columns) {
    if (!fields.includes(column)) properties[freeKey(column, properties)] = { column, type: 'string' };
  }
  return { ...chosen, ...(Object.keys(properties).length === 0 ? {} : { properties }) };
}

/** Keys that the fields of a contact have. */
const reservedKeys: readonly string[] = [...ownFields, 'unsubscribe_url', '__proto__'];

/** The name of a column in the characters that a key may have. Names in other scripts have none of them. */
function freeKey(column: string, taken: object): string {
  const plain = column.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replace(/\W/g, '_');
  const key = /[a-z0-9]/.test(plain) ? plain : 'column';
  const isTaken = (text: string): boolean => reservedKeys.includes(text) || Object.hasOwn(taken, text);
  let free = key.slice(0, 50);
  for (let no = 2; isTaken(free); no++) free = `${key.slice(0, 49 - String(no).length)}_${no}`;
  return free;
}
