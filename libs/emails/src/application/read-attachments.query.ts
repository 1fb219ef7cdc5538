import { NotFoundError } from '#kernel';
import { Injectable } from '@nestjs/common';
import { Attachment, Email } from '../domain/email.js';
import { ContentReader, EmailContents, ReadableAttachment } from './ports/email-contents.port.js';
import { EmailRepository } from './ports/email-repository.port.js';

/** The attachments of accepted emails. */
@Injectable()
export class ReadAttachments {
  constructor(
    private readonly emails: EmailRepository,
    private readonly contents: EmailContents,
  ) {}

  async list(teamId: string, emailId: string): Promise<readonly Attachment[]> {
    return this.contents.attachmentsOf(known(await this.emails.find(emailId, teamId)), teamId);
  }

  async find(teamId: string, emailId: string, attachmentId: string): Promise<Attachment> {
    const attachment = (await this.list(teamId, emailId)).find(({ id }) => id === attachmentId);
    if (attachment === undefined) throw new NotFoundError('Attachment');
    return attachment;
  }

  /** For whoever holds a signed link to it, at this address. */
  async download(emailId: string, attachmentId: string, address: string): Promise<ReadableAttachment> {
    const email = known(await this.emails.find(emailId));
    const attachment = await this.contents.attachment(email, attachmentId, linkReader(email, address));
    if (attachment === undefined) throw new NotFoundError('Attachment');
    return attachment;
  }
}

/** What a link leads to is charged to the links of the team and to whoever follows it, not to the team's own requests. */
export function linkReader({ teamId }: Email, address: string): ContentReader {
  return { address, links: `links ${teamId}` };
}

function known(email: Email | undefined): Email {
  if (email === undefined) throw new NotFoundError('Email');
  return email;
}
