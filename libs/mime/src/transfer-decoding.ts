const equals = 0x3d;

/**
 * Decodes bytes by their Content-Transfer-Encoding (RFC 2045 section 6), given in lower case. Undefined if the bytes are
 * invalid in the encoding, or where it is unknown: readers would have to guess, and may guess differently.
 */
export function decodeTransfer(bytes: Buffer, encoding: string): Buffer | undefined {
  switch (encoding) {
    case '7bit':
    case '8bit':
    case 'binary':
      return bytes;
    case 'base64':
      return decodeBase64(bytes.toString('latin1'));
    case 'quoted-printable':
      return decodeQuotedPrintable(bytes);
    default:
      return undefined;
  }
}

function decodeBase64(text: string): Buffer | undefined {
  const digits = text.replace(/[\r\n\t ]+/g, '');
  return digits.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(digits) ? Buffer.from(digits, 'base64') : undefined;
}

/** White space before a line end is not part of the text (RFC 2045 section 6.7, rule 3). */
function decodeQuotedPrintable(bytes: Buffer): Buffer | undefined {
  const target = Buffer.allocUnsafe(bytes.length);
  let to = 0;
  let at = 0;
  while (at < bytes.length) {
    const byte = bytes[at] as number;
    if (byte === equals) {
      const lineEnd = endOfPadding(bytes, at + 1);
      if (lineEnd !== undefined) {
        at = Math.min(lineEnd + 2, bytes.length);
        continue;
      }
      const value = hexValue(bytes[at + 1]) * 16 + hexValue(bytes[at + 2]);
      if (Number.isNaN(value)) return undefined;
      target[to++] = value;
      at += 3;
      continue;
    }
    const lineEnd = isBlank(byte) ? endOfPadding(bytes, at) : undefined;
    if (lineEnd !== undefined) {
      at = lineEnd;
      continue;
    }
    // A run of white space is copied in one step. Checking each blank of it would take quadratic time.
    do target[to++] = bytes[at++] as number;
    while (isBlank(byte) && isBlank(bytes[at]));
  }
  return target.subarray(0, to);
}

/** Position of the line end, where only white space is before it. */
function endOfPadding(bytes: Buffer, from: number): number | undefined {
  let at = from;
  while (isBlank(bytes[at])) at++;
  return at >= bytes.length || (bytes[at] === 0x0d && bytes[at + 1] === 0x0a) ? at : undefined;
}

function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x09;
}

export function hexValue(byte: number | undefined): number {
  if (byte === undefined) return NaN;
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : NaN;
}
