import { Injectable } from '@nestjs/common';
import { OutgoingEmail } from '../../application/ports/email-repository.port.js';
import { AcceptedEmail } from '../../domain/accepted-email.js';

const capacity = 32 * 1024 * 1024;
/** What an email weighs beyond its content: up to 50 mailboxes of some hundred characters, a subject, tags. */
const overhead = 4_000;

/**
 * The emails this process has just accepted. Most are delivered by the same process within a moment, which then need
 * not read back what it has just written: 0.15 ms of PostgreSQL's CPU a message. Only ever a shortcut; what delivery
 * uses of an email never changes.
 */
@Injectable()
export class RecentEmails {
  private readonly emails = new Map<string, OutgoingEmail>();
  private size = 0;

  add({ email, body, attachmentContents, mime }: AcceptedEmail): void {
    if (mime !== undefined && mime.bytes === undefined) return;
    this.size += email.size + overhead;
    const contents = new Map(attachmentContents.map(({ attachment, content }) => [attachment.id, content]));
    this.emails.set(email.id, { email, body, attachmentContents: contents, mime: mime?.bytes });
    for (const [id, oldest] of this.emails) {
      if (this.size <= capacity) break;
      this.emails.delete(id);
      this.size -= oldest.email.size + overhead;
    }
  }

  get(id: string): OutgoingEmail | undefined {
    return this.emails.get(id);
  }
}
