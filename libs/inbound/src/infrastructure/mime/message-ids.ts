import { createHash } from 'node:crypto';
import { decodeEncodedWords } from '#mime';

const maxLength = 998;
/** Characters of a field that are read at its beginning, and at its end. */
const maxRead = 16 * 1024;
/** References that are looked up beside the first one: the nearest. */
const maxNearest = 20;

/** The id in a Message-ID field as it stands there, for the mail that answers; undefined if there is none. */
export function messageIdIn(value: string): string | undefined {
  return idsIn(utf8(value.slice(0, maxRead)))[0];
}

/**
 * Keys of the messages that a field names, whatever the spelling of their ids: UUIDs of version 8 (RFC 9562 section 5.8).
 * Each is also the id of the thread that begins with the message. Programs that quote ids encode them, fold them, leave out
 * the brackets and change the case. Of many, the first one and the last ones.
 */
export function messageKeysIn(value: string): string[] {
  const read = value.length > 2 * maxRead ? `${value.slice(0, maxRead)} ${value.slice(-maxRead)}` : value;
  const [first, ...others] = idsIn(percentDecoded(utf8(decodeEncodedWords(read))));
  return first === undefined ? [] : [first, ...others.slice(-maxNearest)].map(keyOf);
}

export function messageKeyOf(messageId: string): string {
  return messageKeysIn(messageId)[0] ?? keyOf(messageId);
}

function keyOf(id: string): string {
  const bits = createHash('sha256').update(id.toLowerCase()).digest('hex');
  return `${bits.slice(0, 8)}-${bits.slice(8, 12)}-8${bits.slice(13, 16)}-8${bits.slice(17, 20)}-${bits.slice(20, 32)}`;
}

/** With their brackets. A field without any has ids only if each of its words could be one: others name people. */
function idsIn(text: string): string[] {
  const bracketed = betweenBrackets(text);
  const words = bracketed.length > 0 ? bracketed : text.split(/[\s,;<>"]+/).filter((word) => word !== '');
  if (bracketed.length === 0 && !words.every((word) => word.includes('@'))) return [];
  return words
    .map((word) => `<${word.replace(/[\s\u0000-\u001f\u007f]+/g, '').toWellFormed()}>`)
    .filter((id) => id.length > 2 && id.length <= maxLength);
}

/** Of two brackets that open one after the other, the second one counts. */
function betweenBrackets(text: string): string[] {
  const pieces = text.split('>').slice(0, -1);
  return pieces.flatMap((piece) => {
    const open = piece.lastIndexOf('<');
    return open < 0 ? [] : [piece.slice(open + 1)];
  });
}

/** Header bytes are shown as UTF-8 if they are valid (RFC 6532). */
export function utf8(value: string): string {
  return /[\x80-\xff]/.test(value) ? Buffer.from(value, 'latin1').toString('utf8') : value;
}

function percentDecoded(text: string): string {
  return text.replace(/%([2-7][0-9a-f])/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
}
