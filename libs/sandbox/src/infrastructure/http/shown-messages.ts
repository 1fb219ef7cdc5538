import { NotFoundError } from '#kernel';
import { begun, inPieces, ReadBudget, streamedBytes } from '#http/server';
import { ParserThreads, UnreadableError } from '#platform/parsing';
import { Injectable } from '@nestjs/common';
import { SandboxInbox } from '../../application/ports/inbox.port.js';
import { InboxMessage, Viewer } from '../../domain/inbox-message.js';
import { messageParser, nothingReadable, ParsedMessage, WantedParts } from '../mime/message.parser.js';

/**
 * Memory charged per byte of a message while it is shown: the stored bytes, a copy for each of its two parsers, and the
 * bytes being sent.
 */
const bytesPerMessageByte = 4;

export interface ShownMessage {
  readonly message: InboxMessage;
  readonly raw: Uint8Array;
  readonly parsed: ParsedMessage;
  release(): void;
}

/**
 * Reads messages of the inbox for viewers. Their memory is charged to the viewer, and they are parsed outside the main
 * thread.
 */
@Injectable()
export class ShownMessages {
  constructor(
    private readonly inbox: SandboxInbox,
    private readonly parsers: ParserThreads,
    private readonly budget: ReadBudget,
  ) {}

  async open(viewer: Viewer, id: string, wanted: WantedParts): Promise<ShownMessage | undefined> {
    const message = await this.inbox.find(viewer, id);
    if (message === undefined) return undefined;
    const owner = readerOf(viewer);
    const share = await this.budget.take(owner, message.size * bytesPerMessageByte);
    try {
      const raw = await this.whole(message);
      return { message, raw, parsed: await this.parse(raw, wanted, owner), release: () => share.release() };
    } catch (error) {
      share.release();
      if (error instanceof NotFoundError) return undefined;
      throw error;
    }
  }

  /** The message as received, piece by piece. */
  async source(
    viewer: Viewer,
    id: string,
  ): Promise<{ pieces: AsyncIterable<Uint8Array>; release(): void } | undefined> {
    const message = await this.inbox.find(viewer, id);
    if (message === undefined) return undefined;
    const share = await this.budget.take(readerOf(viewer), streamedBytes(message.size));
    const release = (): void => share.release();
    try {
      return { pieces: (await begun(this.inbox.pieces(message))) ?? inPieces(new Uint8Array()), release };
    } catch (error) {
      release();
      if (error instanceof NotFoundError) return undefined;
      throw error;
    }
  }

  private async whole(message: InboxMessage): Promise<Uint8Array> {
    const raw = new Uint8Array(message.size);
    let length = 0;
    for await (const piece of this.inbox.pieces(message)) {
      raw.set(piece, length);
      length += piece.length;
    }
    return raw.subarray(0, length);
  }

  private async parse(raw: Uint8Array, wanted: WantedParts, owner: string): Promise<ParsedMessage> {
    try {
      // A copy, because bytes that are parsed in a thread are moved there.
      return await this.parsers.run(messageParser, { owner, bytes: Uint8Array.from(raw), options: wanted });
    } catch (error) {
      if (!(error instanceof UnreadableError)) throw error;
      return { ...nothingReadable, unreadable: `The message could not be read: it ${error.reason}` };
    }
  }
}

/** The owner to whom the memory and the threads for viewing are charged. */
export function readerOf(viewer: Viewer): string {
  return viewer === 'operator' ? 'operator' : viewer.teamId;
}

/** Text up to this size is sent as a string. */
const maxStringBytes = 256 * 1024;

export function textOf(bytes: Uint8Array | null): string | AsyncIterable<Uint8Array> | null {
  if (bytes === null) return null;
  return bytes.length > maxStringBytes ? inPieces(bytes) : new TextDecoder().decode(bytes);
}
