import { Page, PageRequest } from '#kernel';
import { Injectable } from '@nestjs/common';
import { DkimVerdict, InboxMessage, ReceivedMessage, Viewer } from '../domain/inbox-message.js';
import { Inbox } from './ports/inbox.port.js';
import { SignatureVerifier } from './ports/signature-verifier.port.js';

@Injectable()
export class ReadInbox {
  constructor(
    private readonly inbox: Inbox,
    private readonly signatures: SignatureVerifier,
  ) {}

  list(viewer: Viewer, page: PageRequest): Promise<Page<InboxMessage>> {
    return this.inbox.list(viewer, page);
  }

  find(viewer: Viewer, id: string): Promise<ReceivedMessage | undefined> {
    return this.inbox.find(viewer, id);
  }

  /** Verified when someone looks, not on receipt: receiving stays cheap, and the keys are those published now. */
  verdict(message: ReceivedMessage): Promise<DkimVerdict> {
    return this.signatures.verify(message.raw);
  }
}
