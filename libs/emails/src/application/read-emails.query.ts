import { Page, PageRequest } from '#kernel';
import { Injectable } from '@nestjs/common';
import { Email } from '../domain/email.js';
import { EmailEvent } from '../domain/email-events.js';
import { EmailRepository, StoredEmail } from './ports/email-repository.port.js';

const mostEvents = 1_000;

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

  /**
   * The events behind number `after`, in order, a thousand at most: what many recipients opened often has more. Undefined
   * where the team has no such email; every email has at least the event of its acceptance.
   */
  async events(teamId: string, id: string, after: number): Promise<Page<EmailEvent> | undefined> {
    const events = await this.emails.events(teamId, id, after, mostEvents + 1);
    if (events.length === 0 && after === 0) return undefined;
    return { items: events.slice(0, mostEvents), hasMore: events.length > mostEvents };
  }
}
