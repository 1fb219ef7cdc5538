/** Bytes of images, by id. */
export abstract class ImageFiles {
  /** They are durable when it resolves. */
  abstract put(id: string, bytes: Uint8Array): Promise<void>;

  /** Undefined if they are not stored. */
  abstract get(id: string): Promise<Uint8Array | undefined>;

  /** It is no error if there are none. */
  abstract remove(ids: readonly string[]): Promise<void>;
}
