import { NotFoundError } from '#kernel';
import { Injectable } from '@nestjs/common';
import { Attachment, Email } from '../domain/email.js';
import { ContentReader, EmailContents, ReadableAttachment } from './ports/email-contents.port.js';
import { EmailRepository } from './ports/email-repository.port.js';

/** Reads the attachments of accepted emails. */
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

  /** Reads an attachment for its team. */
  async read(teamId: string, emailId: string, attachmentId: string): Promise<ReadableAttachment> {
    const email = known(await this.emails.find(emailId, teamId));
    const attachment = await this.contents.attachment(email, attachmentId, teamId);
    if (attachment === undefined) throw new NotFoundError('Attachment');
    return attachment;
  }

  /** Reads an attachment for a visitor at this address who has a signed link to it. */
  async download(emailId: string, attachmentId: string, address: string): Promise<ReadableAttachment> {
    const email = known(await this.emails.find(emailId));
    const attachment = await this.contents.attachment(email, attachmentId, linkReader(email, address));
    if (attachment === undefined) throw new NotFoundError('Attachment');
    return attachment;
  }
}

/**
 * The memory for reads through signed links is charged to the visitor and to the links of the team, so that they cannot
 * block the team's own requests.
 */
export function linkReader({ teamId }: Email, address: string): ContentReader {
  return { address, links: `links ${teamId}` };
}

function known(email: Email | undefined): Email {
  if (email === undefined) throw new NotFoundError('Email');
  return email;
}
