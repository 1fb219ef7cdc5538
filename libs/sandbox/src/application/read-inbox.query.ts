import { Page, PageRequest } from '#kernel';
import { Injectable } from '@nestjs/common';
import { InboxDkimResult, InboxMessage, Viewer } from '../domain/inbox-message.js';
import { SandboxInbox, SignatureVerifier } from './ports/inbox.port.js';

@Injectable()
export class ReadInbox {
  constructor(
    private readonly inbox: SandboxInbox,
    private readonly signatures: SignatureVerifier,
  ) {}

  list(viewer: Viewer, page: PageRequest): Promise<Page<InboxMessage>> {
    return this.inbox.list(viewer, page);
  }

  find(viewer: Viewer, id: string): Promise<InboxMessage | undefined> {
    return this.inbox.find(viewer, id);
  }

  pieces(message: InboxMessage): AsyncIterable<Uint8Array> {
    return this.inbox.pieces(message);
  }

  async raw(message: InboxMessage): Promise<Uint8Array> {
    const raw = new Uint8Array(message.size);
    let length = 0;
    for await (const piece of this.inbox.pieces(message)) {
      raw.set(piece, length);
      length += piece.length;
    }
    return raw.subarray(0, length);
  }

  /**
   * Verified when a message is viewed and not on receipt: receiving stays cheap, and the keys are those published now.
   */
  verdict(raw: Uint8Array, reader: string): Promise<InboxDkimResult> {
    return this.signatures.verify(raw, reader);
  }
}
