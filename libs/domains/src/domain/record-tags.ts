/**
 * Parses a tag list, with white space trimmed. Returns undefined if the text is no tag list (section 3.2) or a tag occurs
 * twice. Linear in the length of the text.
 */
export function parseTags(text: string): ReadonlyMap<string, string> | undefined {
  const tags = new Map<string, string>();
  for (const part of text.split(';')) {
    if (part.trim() === '') continue;
    const equals = part.indexOf('=');
    const name = part.slice(0, Math.max(equals, 0)).trim();
    if (!tagName.test(name) || tags.has(name)) return undefined;
    tags.set(name, part.slice(equals + 1).trim());
  }
  return tags;
}

const tagName = /^[a-z][a-z0-9_]*$/i;
