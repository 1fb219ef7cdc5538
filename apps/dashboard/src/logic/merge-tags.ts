/** Names that every template has. `docs/templates.md` lists them. */
const reserved = new Set([
  'FIRST_NAME',
  'LAST_NAME',
  'EMAIL',
  'UNSUBSCRIBE_URL',
  'RESEND_UNSUBSCRIBE_URL',
  'CONTACT',
  'THIS',
]);
const maxNames = 50;

/** The names in `{{NAME}}`, `{{{NAME}}}` and `{{{NAME|fallback}}}`, each once, without those that every template has. */
export function namesOfTags(text: string): string[] {
  const names = new Map<string, string>();
  let at = text.indexOf('{{');
  while (at !== -1 && names.size < maxNames) {
    const begin = text[at + 2] === '{' ? at + 3 : at + 2;
    const end = text.indexOf('}}', begin);
    if (end === -1) break;
    const [name = ''] = text.slice(begin, Math.min(end, begin + 200)).split('|', 1);
    const key = name.trim();
    if (/^\w{1,50}$/.test(key) && !reserved.has(key.toUpperCase())) {
      if (!names.has(key.toUpperCase())) names.set(key.toUpperCase(), key);
    }
    at = text.indexOf('{{', begin);
  }
  return [...names.values()];
}

/** The names of tags for which no variable is defined. Upper and lower case make no difference. */
export function undefinedNames(texts: readonly string[], defined: readonly string[]): string[] {
  const known = new Set(defined.map((key) => key.toUpperCase()));
  return namesOfTags(texts.join('\n')).filter((name) => !known.has(name.toUpperCase()));
}
