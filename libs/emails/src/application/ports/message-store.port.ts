import { Transaction } from '#kernel';

export interface StoredMessage {
  /** UUIDv7; never reused. */
  readonly id: string;
  readonly bytes: Uint8Array;
}

/** Up to this many bytes in one `put`, the statements that follow do not have to wait for it. */
export const maxPipelinedPutBytes = 1024 * 1024;

/**
 * Stores the bytes of bodies and attachments under ids. Stored bytes never change, except for `overwriteHead`.
 *
 * Bytes are written before or in the transaction that accepts the email. So a crash may leave bytes without an email,
 * but never an email without its bytes. An id contains its day (UUIDv7), and retention removes whole days.
 */
export abstract class MessageStore {
  /** True if `put` writes in the given transaction. Otherwise `put` is called before the transaction begins. */
  abstract readonly joinsTransaction: boolean;

  /**
   * All messages are durable when it resolves, or with the commit of the transaction if `joinsTransaction`. No id
   * may be put twice. Up to `maxPipelinedPutBytes` bytes are already being sent when the call returns, so that later
   * statements of the transaction, even its commit, can be sent without waiting.
   */
  abstract put(messages: readonly StoredMessage[], transaction?: Transaction): Promise<void>;

  /**
   * Stores bytes that are still arriving. They are durable when it resolves, outside any transaction. Where `chunks`
   * throws, it throws the same error and leaves nothing stored.
   *
   * An adapter should store the bytes as they arrive and hold only a small part of them in memory, however large the
   * message and however slow its sender. This default holds all of them.
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

  /** Returns the bytes of the given ids. Ids that are not stored are absent. */
  abstract get(ids: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>>;

  /**
   * Reads the bytes of one id in pieces; no pieces if it is not stored. Throws NotFoundError if the bytes are
   * removed during the read, so that a part is never taken for the whole. An adapter should hold only a small part of
   * them in memory, however slow the reader. This default holds all of them.
   */
  async *read(id: string): AsyncGenerator<Uint8Array> {
    const bytes = (await this.get([id])).get(id);
    if (bytes !== undefined) yield bytes;
  }

  /**
   * Replaces the first bytes of a stored message by as many others, durably. Whoever reads it meanwhile may get the old
   * ones. Nothing happens if the message is not stored. For the erasure of personal data: nothing else changes stored
   * bytes.
   */
  async overwriteHead(id: string, head: Uint8Array): Promise<void> {
    const pieces = this.read(id);
    const first = await pieces.next();
    if (first.done === true) return;
    await this.write(id, withHead(head, first.value, pieces));
  }

  /** Removes the messages with these ids. It is no error if there are none. */
  abstract remove(ids: readonly string[]): Promise<void>;

  /** Removes all messages whose ids are of this day (UTC). It is no error if there are none. */
  abstract removeDay(moment: Date): Promise<void>;
}

async function* withHead(
  head: Uint8Array,
  first: Uint8Array,
  rest: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  yield head;
  let skipped = head.length;
  yield first.subarray(Math.min(skipped, first.length));
  skipped -= Math.min(skipped, first.length);
  for await (const piece of rest) {
    yield piece.subarray(Math.min(skipped, piece.length));
    skipped -= Math.min(skipped, piece.length);
  }
}

/** Tells whether there is room to store another email until it is delivered. */
export abstract class RoomForMail {
  /** Throws NoRoomForMailError if there is none. Cheap, because it is called for each email. */
  abstract check(): void;
}

/**
 * The UTC day of a moment, such as `2026-11-22`. Messages are stored by day, so that retention can remove whole days.
 */
export function dayOf(moment: Date): string {
  return moment.toISOString().slice(0, 10);
}
