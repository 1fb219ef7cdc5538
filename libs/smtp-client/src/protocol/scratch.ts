const size = 16_384;

/**
 * A buffer that is used for one write after the other. It is free again once all bytes written have reached the
 * operating system.
 */
export class Scratch {
  #buffer: Buffer | undefined;

  /** The content followed by the commands; undefined if they may not fit. */
  joined(content: Uint8Array, commands: string): Uint8Array | undefined {
    // UTF-8 takes at most three bytes for one UTF-16 unit.
    if (content.length + commands.length * 3 > size) return undefined;
    const buffer = (this.#buffer ??= Buffer.allocUnsafeSlow(size));
    buffer.set(content);
    return buffer.subarray(0, content.length + buffer.write(commands, content.length, 'utf8'));
  }
}
