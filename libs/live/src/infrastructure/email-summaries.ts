import { emailSummary, ReadEmails } from '#emails';
import { Injectable } from '@nestjs/common';
import { WatchedEmail, WatchedEmails } from '../application/ports/live-changes.port.js';

/** Emails as `GET /emails` shows them. */
@Injectable()
export class EmailSummaries extends WatchedEmails {
  constructor(private readonly emails: ReadEmails) {
    super();
  }

  async load(ids: readonly string[]): Promise<readonly WatchedEmail[]> {
    const emails = await this.emails.summaries(ids);
    return emails.map((email) => ({ teamId: email.teamId, shown: emailSummary(email) }));
  }
}
