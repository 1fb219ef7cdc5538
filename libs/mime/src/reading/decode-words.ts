import { decodeText } from './charsets.js';

const word = /=\?([^?\s]{1,80})\?([bq])\?([^?]*)\?=/iy;

/**
 * Decodes the encoded words of a field value (RFC 2047), including invalid ones as far as possible. Adjacent words are
 * decoded as one text (section 6.2), so a character may be split between two of them. Takes linear time.
 */
export function decodeEncodedWords(value: string): string {
  if (!value.includes('=?')) return value;
  let text = '';
  let plainFrom = 0;
  let run: { charset: string; bytes: Buffer[] } | undefined;
  const endRun = (): void => {
    if (run !== undefined) text += decodeText(Buffer.concat(run.bytes), run.charset);
    run = undefined;
  };
  for (let at = value.indexOf('=?'); at >= 0;) {
    word.lastIndex = at;
    const [whole, named = '', encoding = '', content = ''] = word.exec(value) ?? [];
    if (whole === undefined) {
      at = value.indexOf('=?', at + 2);
      continue;
    }
    const between = value.slice(plainFrom, at);
    // A language may follow the charset (RFC 2231 section 5).
    const [charset = ''] = named.toLowerCase().split('*', 1);
    if (run === undefined || between.trim() !== '') {
      endRun();
      text += between;
    } else if (run.charset !== charset) endRun();
    run ??= { charset, bytes: [] };
    run.bytes.push(encoding.toLowerCase() === 'b' ? Buffer.from(content, 'base64') : decodeQ(content));
    plainFrom = at + whole.length;
    at = value.indexOf('=?', plainFrom);
  }
  endRun();
  return text + value.slice(plainFrom);
}

function decodeQ(content: string): Buffer {
  const decoded = content
    .replaceAll('_', ' ')
    .replace(/=([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return Buffer.from(decoded, 'latin1');
}
