import { EncodedBytes, isSecretName, LargeText, storableText, withoutLinkSecrets } from '#kernel';

/** Characters of one string that are kept. Attachments and long html are cut; addresses are never that long. */
const maxTextLength = 1_000;
/** Items of one list or object that are kept. */
const maxItems = 100;
const maxDepth = 8;
/** Characters of a whole body that are kept; the rest is left out. */
const maxBodyLength = 8_000;

const mask = '"***"';

/**
 * A body as it may be logged: bounded, with secrets masked by the names of their fields. It reads no more of the body than
 * it keeps, so a body of 40 MB costs no more than one of 8 KB. It adds ASCII only: a single character outside Latin-1
 * doubles the memory of the whole text, and most bodies have none.
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
    if (depth === maxDepth) return '"..."';
    return Array.isArray(value) ? this.list(value, depth) : this.object(value, depth);
  }

  private text(text: string, length = text.length): string {
    const kept = text.slice(0, maxTextLength);
    this.room -= kept.length;
    const storable = withoutLinkSecrets(storableText(kept));
    return JSON.stringify(length > maxTextLength ? `${storable}... (${length} characters)` : storable);
  }

  private list(items: readonly unknown[], depth: number): string {
    // Some clients send the bytes of an attachment as a list of numbers.
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
      const isSecret = typeof value === 'string' && isSecretName(name);
      kept.push(`${this.text(name)}:${isSecret ? mask : this.json(value, depth + 1)}`);
    }
    return `{${kept.join()}}`;
  }
}
