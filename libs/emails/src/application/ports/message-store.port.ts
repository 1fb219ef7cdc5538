import { Transaction } from '#kernel';

export interface StoredMessage {
  /** UUIDv7; never reused. */
  readonly id: string;
  readonly bytes: Uint8Array;
}

/** Bytes of the messages of one `put` up to which nothing has to wait for it. */
export const putAtOnce = 1024 * 1024;

/**
 * Keeps the bytes of bodies and attachments, each once, immutable, under an id.
 *
 * Written before or within the transaction that accepts the email, so bytes may be left without an email after a
 * crash, never an email without its bytes. Ids carry their day (UUIDv7), and retention removes whole days.
 */
export abstract class MessageStore {
  /** Whether `put` writes within the transaction it is given. If not, it is called before the transaction begins. */
  abstract readonly joinsTransaction: boolean;

  /**
   * All durable when it resolves, or with the commit of the transaction where `joinsTransaction`. No id is put twice.
   * Up to `putAtOnce` bytes are on their way when the call returns: what follows in the transaction can be sent behind
   * them, its commit too.
   */
  abstract put(messages: readonly StoredMessage[], transaction?: Transaction): Promise<void>;

  /**
   * Stores bytes that are still arriving. Durable when it resolves, outside any transaction. When `chunks` throws, it
   * throws the same and leaves nothing behind.
   *
   * An adapter that can stores them as they arrive and holds no more than a small part of them in memory, however many
   * there are and however slowly they come. What stands here holds them all.
   */
  async write(id: string, chunks: AsyncIterable<Uint8Array>): Promise<void> {
    const pieces: Uint8Array[] = [];
    for await (const chunk of chunks) pieces.push(chunk);
    const bytes = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
    let at = 0;
    for (const piece of pieces) {
      bytes.set(piece, at);
      at += piece.length;
    }
    await this.put([{ id, bytes }]);
  }

  /** What there is of the ids asked for; ids that are not stored are absent. */
  abstract get(ids: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>>;

  /**
   * The bytes of one id in pieces; none where it is not stored. Throws NotFoundError where they are removed while they are
   * read, never takes a part of them for all. An adapter that can holds no more than a small part of them
   * in memory, however slowly they are taken. What stands here holds them all.
   */
  async *read(id: string): AsyncGenerator<Uint8Array> {
    const bytes = (await this.get([id])).get(id);
    if (bytes !== undefined) yield bytes;
  }

  /** Removes what was stored under ids of this moment's day (UTC). What is gone already is no error. */
  abstract removeDay(moment: Date): Promise<void>;
}
