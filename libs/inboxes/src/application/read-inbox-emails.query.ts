import { ReadEmails } from '#emails';
import { EmailAboveQuotaError, ReceivedInbox } from '#inbound';
import { found, NotFoundError, Page, PageRequest } from '#kernel';
import { Injectable } from '@nestjs/common';
import { InboxEmail } from '../domain/thread.js';
import { foundInbox } from './found-inbox.js';
import { InboxRepository } from './ports/inbox-repository.port.js';
import { ThreadRepository } from './ports/thread-repository.port.js';

/** A text of an email: large ones in pieces of UTF-8, which can be read once. */
export type ReadText = string | Uint8Array | AsyncIterable<Uint8Array>;

/** An email with its content, which holds memory until it is released. */
export interface ReadInboxEmail {
  readonly email: InboxEmail;
  readonly html: ReadText | null;
  readonly text: ReadText | null;
  release(): void;
}

/** Bytes or characters of the contents of one page. It ends before the email with which it would have more. */
const maxPageLength = 2 * 1024 * 1024;
/** Those of an email up to which its contents are kept without a share of the memory. */
const maxHeldLength = 256 * 1024;
const noContent = { html: null, text: null, release: (): void => undefined };

/** The emails of threads with their contents, which stand with the received and the sent emails. */
@Injectable()
export class ReadInboxEmails {
  constructor(
    private readonly inboxes: InboxRepository,
    private readonly threads: ThreadRepository,
    private readonly received: ReceivedInbox,
    private readonly sent: ReadEmails,
  ) {}

  /** Newest first. A page may have fewer emails than asked for, and at least one. */
  async list(teamId: string, inbox: string, threadId: string, page: PageRequest): Promise<Page<ReadInboxEmail>> {
    const inboxId = await this.inboxOf(teamId, inbox);
    found('Thread', await this.threads.find(inboxId, threadId));
    const { items, hasMore } = await this.threads.emails(inboxId, threadId, page);
    // Before a cursor, the emails next to it are the last ones of the page.
    const inOrder = page.before === undefined ? items : [...items].reverse();
    const read: ReadInboxEmail[] = [];
    let length = 0;
    for (const email of inOrder) {
      const one = await this.read(teamId, email);
      const added = lengthOf(one.html) + lengthOf(one.text);
      const isLarge = added > maxHeldLength;
      // Reading holds memory for the whole message, also where its text is short. Only a large text keeps it, alone on its page.
      if (!isLarge || read.length > 0) one.release();
      if (read.length > 0 && (isLarge || length + added > maxPageLength)) break;
      read.push(one);
      length += added;
      if (isLarge) break;
    }
    const isCut = read.length < items.length;
    return { items: page.before === undefined ? read : read.reverse(), hasMore: hasMore || isCut };
  }

  async get(teamId: string, inbox: string, threadId: string, id: string): Promise<ReadInboxEmail> {
    const inboxId = await this.inboxOf(teamId, inbox);
    return this.read(teamId, found('Email', await this.threads.email(inboxId, threadId, id)));
  }

  /** The content of an email that came when the quota was used up is not shown, and that of an erased one is gone. */
  private async read(teamId: string, email: InboxEmail): Promise<ReadInboxEmail> {
    try {
      const { body } =
        email.direction === 'inbound'
          ? await this.received.get(teamId, email.id, 'data_uri')
          : found('Email', await this.sent.find(teamId, email.id));
      return { email, html: body.html, text: body.text, release: () => body.release() };
    } catch (error) {
      if (!(error instanceof NotFoundError || error instanceof EmailAboveQuotaError)) throw error;
      return { email, ...noContent };
    }
  }

  private async inboxOf(teamId: string, idOrAddress: string): Promise<string> {
    return (await foundInbox(this.inboxes, teamId, idOrAddress)).id;
  }
}

/** What comes in pieces is large. */
function lengthOf(text: ReadText | null): number {
  if (text === null) return 0;
  return typeof text === 'string' || text instanceof Uint8Array ? text.length : maxPageLength;
}
