import { AddressSpellings } from '#postgres/privacy';
import { MessageStore } from '../../application/ports/message-store.port.js';
import { storedMime } from '../../application/stored-content.js';

/** The header of a message that was submitted. SMTP takes none that is longer. */
const maxHeaderBytes = 256 * 1024;
const erased = 'erased';

/** Takes an address out of the header of a finished message that others have received as well. Their content stays. */
export async function eraseFromHeader(store: MessageStore, id: string, { within }: AddressSpellings): Promise<void> {
  const head = await headOf(store, id);
  const mime = storedMime(head);
  if (mime === undefined) return;
  const header = Buffer.from(mime).toString('latin1');
  const end = header.indexOf('\r\n\r\n');
  const shown = header.slice(0, end < 0 ? undefined : end);
  const changed = withoutAddress(shown, within);
  if (changed === shown) return;
  await store.overwriteHead(id, Buffer.concat([head.subarray(0, 1), Buffer.from(changed, 'latin1')]));
}

async function headOf(store: MessageStore, id: string): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of store.read(id)) {
    pieces.push(piece);
    length += piece.length;
    if (length > maxHeaderBytes) break;
  }
  return Buffer.concat(pieces);
}

/**
 * `header` and the result hold one character for each byte, and are equally long. The name beside an address goes with
 * it.
 */
export function withoutAddress(header: string, within: string): string {
  const text = Buffer.from(header, 'latin1').toString('utf8');
  if (Buffer.byteLength(text) !== header.length) return replaced(header, within, (found) => found.length);
  const changed = replaced(text, within, (found) => Buffer.byteLength(found));
  return Buffer.from(changed).toString('latin1');
}

function replaced(text: string, within: string, lengthOf: (found: string) => number): string {
  const pieces: string[] = [];
  let at = 0;
  for (const match of text.matchAll(new RegExp(within, 'g'))) {
    const from = match.index + (match[1]?.length ?? 0);
    const to = match.index + match[0].length;
    const isBracketed = text[from - 1] === '<' && text[to] === '>';
    const start = isBracketed ? nameBefore(text, from - 1, at) : from;
    const end = isBracketed ? to + 1 : to;
    const length = lengthOf(text.slice(start, end));
    pieces.push(text.slice(at, start), erased.slice(0, length).padEnd(length));
    at = end;
  }
  return [...pieces, text.slice(at)].join('');
}

/** Where the display name before `<` begins: a quoted string, or words. Not before `earliest`. */
function nameBefore(text: string, bracket: number, earliest: number): number {
  let end = bracket;
  while (end > earliest && /[ \t\r\n]/.test(text[end - 1] as string)) end--;
  if (text[end - 1] === '"') {
    const open = text.lastIndexOf('"', end - 2);
    return open >= earliest ? open : bracket;
  }
  let start = end;
  while (start > earliest && !/[,:;<>"\n]/.test(text[start - 1] as string)) start--;
  while (start < end && /[ \t\r]/.test(text[start] as string)) start++;
  return start === end ? bracket : start;
}
