/**
 * Stores the files of imports in chunks, from their upload until they are imported.
 *
 * A file is durable when `write` resolves. It contains personal data: `remove` removes it as soon as it is not needed
 * any more, and files without an import are removed within a day.
 */
export abstract class ImportFiles {
  /** Throws a DomainError if the disk has no space for more files. */
  abstract requireRoom(): void;

  /**
   * Stores the chunks as they arrive. If they throw, it throws the same error and keeps nothing. Returns their size in
   * bytes.
   */
  abstract write(id: string, chunks: AsyncIterable<Uint8Array>): Promise<number>;

  /** One chunk, from 0. Undefined after the last one. */
  abstract read(id: string, chunk: number): Promise<Uint8Array | undefined>;

  /** It is no error if there is no such file. */
  abstract remove(id: string): Promise<void>;
}
