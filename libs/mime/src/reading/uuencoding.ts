const lineFeed = 0x0a;
const firstDigit = 0x20;
const lastDigit = 0x60;

/**
 * Decodes a uuencoded body (POSIX `uuencode`), which old programs send as `x-uuencode`: from the line after `begin` up
 * to the line `end`. A body without `begin` stays as it is, lines that are not valid are left out. Takes linear time.
 */
export function decodeUuencoded(body: Buffer): Buffer {
  const begin = /^begin [0-7]{3,4} /m.exec(body.toString('latin1'));
  if (begin === null) return body;
  const target = Buffer.allocUnsafeSlow(body.length);
  let to = 0;
  for (let at = endOfLine(body, begin.index) + 1; at < body.length; at = endOfLine(body, at) + 1) {
    const line = body.subarray(at, endOfLine(body, at));
    if (line.toString('latin1', 0, 3) === 'end') break;
    to += decodeLine(line, target.subarray(to));
  }
  return target.subarray(0, to);
}

/**
 * The first digit of a line counts its bytes; four digits make three bytes. A digit that is missing is a space that was
 * cut off at the end of the line. Returns the number of bytes; none where the target has no room for all of them.
 */
function decodeLine(line: Buffer, target: Buffer): number {
  const first = line[0];
  if (first === undefined || first < firstDigit || first > lastDigit) return 0;
  const count = digit(first);
  if (count > target.length) return 0;
  for (let byte = 0; byte < count; byte++) {
    const [at, shift] = [1 + Math.floor((byte * 8) / 6), 2 * (2 - (byte % 3))];
    const pair = (digit(line[at]) << 6) | digit(line[at + 1]);
    target[byte] = (pair >> shift) & 0xff;
  }
  return count;
}

function digit(character = firstDigit): number {
  return character < firstDigit || character > lastDigit ? 0 : (character - firstDigit) & 0x3f;
}

function endOfLine(body: Buffer, from: number): number {
  const at = body.indexOf(lineFeed, from);
  return at < 0 ? body.length : at;
}
