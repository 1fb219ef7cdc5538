import { Page, PageRequest } from '#kernel';
import { Injectable } from '@nestjs/common';
import { Email } from '../domain/email.js';
import { EmailEvent } from '../domain/email-events.js';
import { EmailContents, ReadableBody } from './ports/email-contents.port.js';
import { EmailRepository } from './ports/email-repository.port.js';
import { linkReader } from './read-attachments.query.js';

const maxEvents = 1_000;

/** An email to be shown. Its body is to be released. */
export interface ReadableEmail {
  readonly email: Email;
  readonly body: ReadableBody;
}

@Injectable()
export class ReadEmails {
  constructor(
    private readonly emails: EmailRepository,
    private readonly contents: EmailContents,
  ) {}

  async find(teamId: string, id: string): Promise<ReadableEmail | undefined> {
    const email = await this.findMetadata(teamId, id);
    return email === undefined ? undefined : { email, body: await this.contents.bodyOf(email, teamId) };
  }

  /** Without its content. */
  findMetadata(teamId: string, id: string): Promise<Email | undefined> {
    return this.emails.find(id, teamId);
  }

  /** For whoever holds a signed link to it, at this address, whichever team it belongs to. */
  async findShared(id: string, address: string): Promise<ReadableEmail | undefined> {
    const email = await this.emails.find(id);
    if (email === undefined) return undefined;
    return { email, body: await this.contents.bodyOf(email, linkReader(email, address)) };
  }

  list(teamId: string, page: PageRequest): Promise<Page<Email>> {
    return this.emails.list(teamId, page);
  }

  /**
   * The events behind number `after`, in order, a thousand at most: what many recipients opened often has more. Undefined
   * where the team has no such email; every email has at least the event of its acceptance.
   */
  async events(teamId: string, id: string, after: number): Promise<Page<EmailEvent> | undefined> {
    const events = await this.emails.events(teamId, id, after, maxEvents + 1);
    if (events.length === 0 && after === 0) return undefined;
    return { items: events.slice(0, maxEvents), hasMore: events.length > maxEvents };
  }
}
