const size = 16_384;

/** A buffer that is used for one write after the other: free again once all that was written has reached the operating system. */
export class Scratch {
  #buffer: Buffer | undefined;

  /** Content and commands one behind the other; undefined where they may not fit. */
  joined(content: Uint8Array, commands: string): Uint8Array | undefined {
    // Three bytes are the most that UTF-8 takes for one UTF-16 unit.
    if (content.length + commands.length * 3 > size) return undefined;
    const buffer = (this.#buffer ??= Buffer.allocUnsafeSlow(size));
    buffer.set(content);
    return buffer.subarray(0, content.length + buffer.write(commands, content.length, 'utf8'));
  }
}
