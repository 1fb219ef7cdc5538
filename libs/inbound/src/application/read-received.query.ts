import { found, Page, PageRequest } from '#kernel';
import { Injectable } from '@nestjs/common';
import { ReceivedAttachment, ReceivedEmail } from '../domain/received-email.js';
import { EmailAboveQuotaError } from '../domain/receiving-errors.js';
import {
  ContentReader,
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

/** Reads received emails, for their team and for visitors with a signed link. */
@Injectable()
export class ReadReceived {
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

  private async readable(teamId: string, id: string): Promise<ReceivedEmail> {
    const email = found('Email', await this.emails.find(teamId, id));
    if (email.isAboveQuota) throw new EmailAboveQuotaError();
    return email;
  }
}

/** Reads through links are charged to the visitor and to the links of the team, so that they cannot block the team itself. */
function linkReader({ teamId }: ReceivedEmail, address: string): ContentReader {
  return { address, links: `links ${teamId}` };
}
