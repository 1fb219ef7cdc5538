import type { Parser } from '#platform/parsing';

export interface Wish {
  /** `size`: answers how many bytes there are. `loop`, `fill`: never ends, ever more memory. `throw`: fails. */
  readonly wish: 'size' | 'loop' | 'fill' | 'throw' | 'echo';
}

/** Does as it is told, for tests of the threads that parsers run in. */
export function parse(bytes: Uint8Array, { wish }: Wish): number | Uint8Array {
  if (wish === 'throw') throw new Error('as told');
  if (wish === 'echo') return bytes;
  const kept: unknown[] = [];
  while (wish !== 'size') if (wish === 'fill') kept.push({ at: kept.length });
  return bytes.length;
}

export const obedientParser: Parser<Wish, number | Uint8Array> = { url: import.meta.url, parse, maxInlineBytes: 0 };
