/**
 * Bytes that a JSON body contains as base64 or as an array of integers, decoded while the body arrived.
 *
 * Only large bodies have them, in fields named `content` or `data`. This avoids a string of 53 MB or an array of 40 million
 * numbers.
 */
export class EncodedBytes {
  constructor(
    /** Undefined if the value is neither base64 nor integers from 0 to 255. */
    readonly bytes: Uint8Array | undefined,
    readonly writtenAs: 'base64' | 'integers' = 'base64',
  ) {}

  /** Base64, also where the request had integers. */
  toJSON(): string | null {
    return this.bytes === undefined ? null : Buffer.from(this.bytes).toString('base64');
  }
}
