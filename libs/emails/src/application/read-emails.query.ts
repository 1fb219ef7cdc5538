import { Page, PageRequest } from '#kernel';
import { Injectable } from '@nestjs/common';
import { Email } from '../domain/email.js';
import { EmailEvent } from '../domain/email-events.js';
import type { EventSearch, FoundEvents } from '../domain/email-event-search.js';
import type { EmailSearch, FoundEmails } from '../domain/email-filter.js';
import { EmailContents, ReadableBody } from './ports/email-contents.port.js';
import { EmailFinder, EmailRepository } from './ports/email-repository.port.js';
import { linkReader } from './read-attachments.query.js';

const maxEvents = 1_000;
/** Parts of a search that one request runs, 50 ms each, until its page is full. */
const maxSlices = 3;

/** An email to show. Its body must be released after use. */
export interface ReadableEmail {
  readonly email: Email;
  readonly body: ReadableBody;
}

@Injectable()
export class ReadEmails {
  constructor(
    private readonly emails: EmailRepository,
    private readonly contents: EmailContents,
    private readonly finder: EmailFinder,
  ) {}

  async find(teamId: string, id: string): Promise<ReadableEmail | undefined> {
    const email = await this.findMetadata(teamId, id);
    return email === undefined ? undefined : { email, body: await this.contents.bodyOf(email, teamId) };
  }

  /** Finds an email without its content. */
  findMetadata(teamId: string, id: string): Promise<Email | undefined> {
    return this.emails.find(id, teamId);
  }

  /** Finds an email of any team for a visitor at this address who has a signed link to it. */
  async findShared(id: string, address: string): Promise<ReadableEmail | undefined> {
    const email = await this.emails.find(id);
    if (email === undefined) return undefined;
    return { email, body: await this.contents.bodyOf(email, linkReader(email, address)) };
  }

  /** Emails of any team, as lists show them. Unknown ids are absent. */
  summaries(ids: readonly string[]): Promise<readonly Email[]> {
    return this.emails.findAll(ids);
  }

  /** Goes on until the page is full, but not for long: the client continues from `next`. */
  async search(teamId: string, { filter, page }: EmailSearch): Promise<FoundEmails> {
    const items: Email[] = [];
    let cursor = page.after ?? page.before;
    for (let slice = 1; ; slice++) {
      const direction = page.before === undefined ? { after: cursor } : { before: cursor };
      const found = await this.finder.find(teamId, {
        filter,
        page: { limit: page.limit - items.length, ...direction },
      });
      if (page.before === undefined) items.push(...found.items);
      else items.unshift(...found.items);
      cursor = found.next;
      if (items.length >= page.limit || cursor === undefined || slice === maxSlices) {
        return { items, hasMore: found.hasMore, next: cursor };
      }
    }
  }

  /** Events of all emails of a team. */
  searchEvents(teamId: string, search: EventSearch): Promise<FoundEvents> {
    return this.finder.events(teamId, search);
  }

  list(teamId: string, page: PageRequest): Promise<Page<Email>> {
    return this.emails.list(teamId, page);
  }

  /**
   * The events with a number above `after`, in order, at most a thousand: an email that many recipients opened often
   * has more. Undefined if the team has no such email. Every email has at least the event of its acceptance.
   */
  async events(teamId: string, id: string, after: number): Promise<Page<EmailEvent> | undefined> {
    const events = await this.emails.events(teamId, id, after, maxEvents + 1);
    if (events.length === 0 && after === 0) return undefined;
    return { items: events.slice(0, maxEvents), hasMore: events.length > maxEvents };
  }
}
