/** How a statement touches a table: it reads or writes it, or has a trigger on it. */
export interface TableUse {
  readonly table: string;
  readonly kind: 'use' | 'trigger';
}

/** Stands for what a template literal interpolates. */
export const interpolation = '\u0001';

/** After these words comes a table, or a list of them. */
const beforeTable = new Set(['from', 'join', 'into', 'update', 'table', 'using', 'references', 'truncate', 'copy']);
const beforeTables = new Set(['from', 'using', 'update', 'table', 'truncate']);
const noise = new Set(['only', 'lateral', 'if', 'exists', 'not']);
const endsTables = new Set([
  'where',
  'group',
  'order',
  'limit',
  'returning',
  'set',
  'having',
  'window',
  'union',
  'values',
  'select',
  'for',
]);
const events = new Set(['insert', 'update', 'delete', 'truncate']);

/** Functions in whose arguments FROM is not a clause: `extract(epoch FROM moment)`. */
const callsWithFrom = new Set(['extract', 'substring', 'trim', 'overlay']);

/**
 * Names of the tables and views in a text of SQL, without those that the text defines by WITH. `FROM ${…}` gives the name
 * `interpolation`. It reads only words, commas and parentheses, so it also finds tables in the body of a function.
 */
export function tablesIn(sql: string): TableUse[] {
  const tokens = tokensOf(sql);
  const defined = definedByWith(tokens);
  const uses: TableUse[] = [];
  let lists = [false];
  const calls: boolean[] = [];
  let expects = false;
  tokens.forEach((token, index) => {
    const before = tokens[index - 1]?.toLowerCase();
    const word = token.toLowerCase();
    if (token === '(') {
      lists.push(false);
      calls.push(callsWithFrom.has(before ?? ''));
      expects = false;
    } else if (token === ')') {
      if (lists.length > 1) lists.pop();
      calls.pop();
      expects = false;
    } else if (token === ',') {
      expects = lists.at(-1) === true;
    } else if (token === ';') {
      lists = [false];
      expects = false;
    } else if (word === 'on' && events.has(before ?? '')) {
      uses.push({ table: nameAt(tokens, index + 1), kind: 'trigger' });
      // The event may be an update, which is no statement here.
      expects = false;
    } else if (beforeTable.has(word) && !(word === 'from' && (before === 'distinct' || calls.at(-1) === true))) {
      expects = true;
      if (beforeTables.has(word)) lists[lists.length - 1] = true;
    } else if (expects && !noise.has(word)) {
      const table = nameAt(tokens, index);
      if (isName(table) && !defined.has(table)) uses.push({ table, kind: 'use' });
      expects = false;
    } else if (endsTables.has(word)) {
      lists[lists.length - 1] = false;
    }
  });
  return uses;
}

/** Every word before a parenthesis; functions are among them. */
export function callsIn(sql: string): string[] {
  const tokens = tokensOf(sql);
  return tokens.filter((token, index) => isName(token) && tokens[index + 1] === '(').map(unquoted);
}

function tokensOf(sql: string): string[] {
  const code = sql
    .replace(/--[^\n]*/g, ' ')
    .replace(/\/\*.*?\*\//gs, ' ')
    .replace(/'(?:[^']|'')*'/g, ' 0 ');
  return code.match(/"[^"]+"|[\p{L}_\u0001][\p{L}\p{N}_\u0001]*|[(),;.]|[^\s]/gu) ?? [];
}

function definedByWith(tokens: readonly string[]): ReadonlySet<string> {
  const names = tokens.filter((token, index) => {
    if (!isName(token)) return false;
    let next = index + 1;
    if (tokens[next] === '(') next = tokens.indexOf(')', next) + 1;
    if (tokens[next]?.toLowerCase() !== 'as') return false;
    return tokens[next + 1] === '(' || tokens[next + 1]?.toLowerCase() === 'materialized';
  });
  return new Set(names.map(unquoted));
}

/** The name without its schema. */
function nameAt(tokens: readonly string[], index: number): string {
  const last = tokens[index + 1] === '.' ? tokens[index + 2] : tokens[index];
  return unquoted(last ?? '');
}

function isName(token: string): boolean {
  return /^["\p{L}_\u0001]/u.test(token);
}

function unquoted(token: string): string {
  return token.startsWith('"') ? token.slice(1, -1) : token.toLowerCase();
}
