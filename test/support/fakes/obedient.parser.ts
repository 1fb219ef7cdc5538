import type { Parser } from '#platform/parsing';

export interface Wish {
  /** `size`: returns the number of bytes. `loop`: never ends. `fill`: uses ever more memory. `throw`: fails. */
  readonly wish: 'size' | 'loop' | 'fill' | 'throw' | 'echo';
}

/** A parser that obeys commands, for tests of the parser threads. */
export function parse(bytes: Uint8Array, { wish }: Wish): number | Uint8Array {
  if (wish === 'throw') throw new Error('as told');
  if (wish === 'echo') return bytes;
  const kept: unknown[] = [];
  while (wish !== 'size') if (wish === 'fill') kept.push({ at: kept.length });
  return bytes.length;
}

export const obedientParser: Parser<Wish, number | Uint8Array> = { url: import.meta.url, parse, maxInlineBytes: 0 };
