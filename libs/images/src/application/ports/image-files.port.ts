/** What a read may hold: one piece that was sent and one that is read. */
export const maxHeldBytes = 1024 * 1024;

/** Bytes of images, by id. */
export abstract class ImageFiles {
  /** They are durable when it resolves. */
  abstract put(id: string, bytes: Uint8Array): Promise<void>;

  /**
   * In pieces; no pieces if they are not stored. Holds at most `maxHeldBytes`, however slow the reader. Throws if they are
   * removed during the read.
   */
  abstract read(id: string): AsyncGenerator<Uint8Array>;

  /** It is no error if there are none. */
  abstract remove(ids: readonly string[]): Promise<void>;
}
