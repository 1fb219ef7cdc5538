/** Lowest and highest second byte after each first byte that limits it (RFC 3629). */
const limited: Readonly<Record<number, readonly [number, number]>> = {
  0xe0: [0xa0, 0xbf],
  0xed: [0x80, 0x9f],
  0xf0: [0x90, 0xbf],
  0xf4: [0x80, 0x8f],
};

/**
 * Counts the characters beyond ASCII that are valid UTF-8, and the bytes that are not, in a file that arrives in
 * chunks. A text in another encoding practically never consists of valid sequences.
 */
export class Utf8Check {
  private sequences = 0;
  private invalidBytes = 0;
  private missing = 0;
  private lowest = 0x80;
  private highest = 0xbf;

  push(bytes: Uint8Array): void {
    for (const byte of bytes) {
      if (this.missing > 0) {
        if (byte >= this.lowest && byte <= this.highest) {
          this.lowest = 0x80;
          this.highest = 0xbf;
          this.missing -= 1;
          if (this.missing === 0) this.sequences += 1;
          continue;
        }
        this.missing = 0;
        this.invalidBytes += 1;
      }
      if (byte >= 0x80) this.begin(byte);
    }
  }

  /**
   * A file with a few broken characters among many good ones is UTF-8 with damage; read as anything else, all of them
   * would be wrong.
   */
  get isUtf8(): boolean {
    const invalid = this.invalidBytes + (this.missing > 0 ? 1 : 0);
    return invalid === 0 || this.sequences > 10 * invalid;
  }

  private begin(byte: number): void {
    const missing =
      byte >= 0xc2 && byte < 0xe0 ? 1 : byte >= 0xe0 && byte < 0xf0 ? 2 : byte >= 0xf0 && byte < 0xf5 ? 3 : 0;
    if (missing === 0) this.invalidBytes += 1;
    const [lowest, highest] = limited[byte] ?? [0x80, 0xbf];
    this.missing = missing;
    this.lowest = lowest;
    this.highest = highest;
  }
}
