import { EncodedBytes, LargeText } from '#kernel';

/** Characters of one string that are kept. An attachment's content and a long html are cut, an address never. */
const maxTextLength = 1_000;
/** Items of one list or object, and depth, that are kept. */
const maxItems = 100;
const deepest = 8;
/** Characters of a whole body that are kept; what lies beyond is left out. */
const maxBodyLength = 8_000;

const secretNames =
  /^(?:token|access_token|refresh_token|secret|client_secret|signing_secret|password|authorization|api_key)$/i;
const mask = '"***"';

/**
 * A body as it may be kept: secrets masked by their names, everything bounded. Reads no more of the body than it
 * keeps, so a body of 40 MB costs no more than one of 8 KB. Nothing but ASCII is added: one other character doubles the
 * memory of the whole text, and most bodies have none.
 */
export function boundedJson(body: unknown): string | null {
  if (typeof body !== 'object' || body === null) return null;
  return new Bounds().json(body, 0);
}

class Bounds {
  private room = maxBodyLength;

  json(value: unknown, depth: number): string {
    if (typeof value === 'string') return this.text(value);
    if (value instanceof LargeText) return this.text(value.beginning(maxTextLength), value.length);
    this.room -= 8;
    if (value instanceof EncodedBytes) return `"... (${value.bytes?.length ?? 'no'} bytes)"`;
    if (typeof value !== 'object' || value === null) return JSON.stringify(value);
    if (depth === deepest) return '"..."';
    return Array.isArray(value) ? this.list(value, depth) : this.object(value, depth);
  }

  private text(text: string, length = text.length): string {
    const kept = text.slice(0, maxTextLength);
    this.room -= kept.length;
    // PostgreSQL keeps no NUL and no half of a surrogate pair.
    const clean = kept.includes('\0') ? kept.replaceAll('\0', '') : kept;
    const wellFormed = clean.toWellFormed();
    return JSON.stringify(length > maxTextLength ? `${wellFormed}... (${length} characters)` : wellFormed);
  }

  private list(items: readonly unknown[], depth: number): string {
    // The bytes of an attachment as some clients send them.
    if (items.length > maxItems && typeof items[0] === 'number') return `["... (${items.length} numbers)"]`;
    const kept: string[] = [];
    for (const item of items.slice(0, maxItems)) {
      if (this.room <= 0) break;
      kept.push(this.json(item, depth + 1));
    }
    return `[${kept.join()}]`;
  }

  private object(fields: object, depth: number): string {
    const kept: string[] = [];
    for (const name in fields) {
      if (this.room <= 0 || kept.length === maxItems) break;
      const value = (fields as Record<string, unknown>)[name];
      const isSecret = typeof value === 'string' && secretNames.test(name);
      kept.push(`${this.text(name)}:${isSecret ? mask : this.json(value, depth + 1)}`);
    }
    return `{${kept.join()}}`;
  }
}
