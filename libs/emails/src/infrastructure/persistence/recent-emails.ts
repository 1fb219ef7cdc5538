import { Config } from '#platform/config';
import { Injectable } from '@nestjs/common';
import { OutgoingEmail } from '../../application/ports/email-repository.port.js';
import { AcceptedEmail } from '../../domain/accepted-email.js';

const capacity = 32 * 1024 * 1024;
/** What an email weighs beyond its content: up to 50 mailboxes of some hundred characters, a subject, tags. */
const overhead = 4_000;

interface RecentEmail {
  readonly outgoing: OutgoingEmail;
  readonly isForOne: boolean;
}

/**
 * The emails this process has just accepted, where it also delivers. Most are delivered by the same process within a moment, which then need
 * not read back what it has just written: 0.15 ms of PostgreSQL's CPU a message. Only ever a shortcut; what delivery
 * uses of an email never changes.
 */
@Injectable()
export class RecentEmails {
  private readonly emails = new Map<string, RecentEmail>();
  private readonly isOfUse: boolean;
  private size = 0;

  constructor(config: Config) {
    this.isOfUse = config.has('worker');
  }

  add({ email, body, recipients, attachmentContents, mime }: AcceptedEmail): void {
    // What lies in the store already, or for many emails, is read there.
    if (!this.isOfUse || email.contentId !== null || (mime !== undefined && mime.bytes === undefined)) return;
    const contents = new Map(attachmentContents.map(({ attachment, content }) => [attachment.id, content]));
    const outgoing = { email, body, attachmentContents: contents, mime: mime?.bytes };
    this.emails.set(email.id, { outgoing, isForOne: recipients.length === 1 });
    this.size += email.size + overhead;
    for (const id of this.emails.keys()) {
      if (this.size <= capacity) break;
      this.remove(id);
    }
  }

  get(id: string): OutgoingEmail | undefined {
    return this.emails.get(id)?.outgoing;
  }

  /** Mail to one recipient is wanted once, unless it has to be tried again, which can wait for a read. */
  handedOver(ids: readonly string[]): void {
    for (const id of ids) if (this.emails.get(id)?.isForOne === true) this.remove(id);
  }

  private remove(id: string): void {
    const recent = this.emails.get(id);
    if (recent === undefined) return;
    this.emails.delete(id);
    this.size -= recent.outgoing.email.size + overhead;
  }
}
