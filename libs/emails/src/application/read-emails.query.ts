import { Page, PageRequest } from '#kernel';
import { Injectable } from '@nestjs/common';
import { Email } from '../domain/email.js';
import { EmailEvent } from '../domain/email-events.js';
import { EmailRepository, StoredEmail } from './ports/email-repository.port.js';

@Injectable()
export class ReadEmails {
  constructor(private readonly emails: EmailRepository) {}

  find(teamId: string, id: string): Promise<StoredEmail | undefined> {
    return this.emails.find(teamId, id);
  }

  /** For whoever holds a signed link to it, whichever team it belongs to. */
  async findShared(id: string): Promise<StoredEmail | undefined> {
    const email = await this.emails.findMetadata(id);
    return email === undefined ? undefined : this.emails.find(email.teamId, id);
  }

  list(teamId: string, page: PageRequest): Promise<Page<Email>> {
    return this.emails.list(teamId, page);
  }

  /** Undefined where the team has no such email. Every email has at least the event of its acceptance. */
  async events(teamId: string, id: string): Promise<readonly EmailEvent[] | undefined> {
    const events = await this.emails.events(teamId, id);
    return events.length === 0 ? undefined : events;
  }
}
