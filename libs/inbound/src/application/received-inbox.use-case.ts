import { Principal } from '#identity';
import { found, Page, PageRequest } from '#kernel';
import { Injectable } from '@nestjs/common';
import { EmailAboveQuotaError, ReceivedAttachment, ReceivedEmail } from '../domain/received-email.js';
import {
  ReceivedContentReader,
  HtmlFormat,
  ReadableReceived,
  ReadableReceivedAttachment,
  ReadableSource,
  ReceivedContents,
} from './ports/received-contents.port.js';
import { ReceivedEmails, ReceivedFilter } from './ports/received-emails.port.js';

export interface ReceivedWithBody {
  readonly email: ReceivedEmail;
  readonly body: ReadableReceived;
}

/** Emails of which one call erases at most. The caller calls again until it is told that there are no more. */
const maxErasedPerCall = 500;
const firstId = '00000000-0000-0000-0000-000000000000';
/** Where the mail of others begins. Positions are ids. */
const ofOthers = '00000000-0000-0000-0000-000000000001';

export interface ErasedMail {
  readonly erased: number;
  /** What the next call is given; undefined at the end. */
  readonly next: string | undefined;
  /** Whether routes still work on some of it. */
  readonly isWaiting: boolean;
}

/**
 * The received emails of a team: lists, reads, replays and erases them. Visitors with a signed link download parts of
 * them.
 */
@Injectable()
export class ReceivedInbox {
  constructor(
    private readonly emails: ReceivedEmails,
    private readonly contents: ReceivedContents,
  ) {}

  list(teamId: string, page: PageRequest, filter: ReceivedFilter): Promise<Page<ReceivedEmail>> {
    return this.emails.list(teamId, page, filter);
  }

  /** Throws NotFoundError, or EmailAboveQuotaError for mail that came when the quota was used up. */
  async get(teamId: string, id: string, format: HtmlFormat): Promise<ReceivedWithBody> {
    const email = await this.readable(teamId, id);
    return { email, body: await this.contents.body(email, format, teamId) };
  }

  async attachments(teamId: string, id: string): Promise<readonly ReceivedAttachment[]> {
    return (await this.readable(teamId, id)).attachments;
  }

  async attachment(teamId: string, id: string, attachmentId: string): Promise<ReceivedAttachment> {
    const attachments = await this.attachments(teamId, id);
    return found(
      'Attachment',
      attachments.find((attachment) => attachment.id === attachmentId),
    );
  }

  /** For a visitor at this address who has a signed link. */
  async downloadAttachment(id: string, attachmentId: string, address: string): Promise<ReadableReceivedAttachment> {
    const email = found('Email', await this.emails.findAny(id));
    return this.contents.attachment(email, attachmentId, linkReader(email, address));
  }

  async downloadSource(id: string, address: string): Promise<ReadableSource> {
    const email = found('Email', await this.emails.findAny(id));
    return this.contents.source(email, linkReader(email, address));
  }

  /** Sends `email.received` again, as a new message to every webhook endpoint that asks for it now. */
  async replay(principal: Principal, id: string): Promise<void> {
    principal.require('emails:write');
    await this.emails.announce(found('Email', await this.emails.find(principal.teamId, id)));
  }

  /** Deletes the mail that a person has sent to a team, and then takes the person out of the mail of others. */
  async erase(teamId: string, address: string, after?: string): Promise<ErasedMail> {
    const lower = address.toLowerCase();
    if (after !== undefined && after !== firstId) {
      const { last, ...done } = await this.emails.eraseRecipient(teamId, lower, after, maxErasedPerCall);
      return { ...done, next: last };
    }
    // Emails are deleted, so each portion is the first one.
    const erased = await this.emails.erase(teamId, lower, maxErasedPerCall);
    return { erased, next: erased === maxErasedPerCall ? firstId : ofOthers, isWaiting: false };
  }

  private async readable(teamId: string, id: string): Promise<ReceivedEmail> {
    const email = found('Email', await this.emails.find(teamId, id));
    if (email.isAboveQuota) throw new EmailAboveQuotaError();
    return email;
  }
}

/**
 * Reads through links are charged to the visitor and to the links of the team, so that they cannot block the team
 * itself.
 */
function linkReader({ teamId }: ReceivedEmail, address: string): ReceivedContentReader {
  return { address, links: `links ${teamId}` };
}
