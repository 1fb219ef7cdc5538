import { NotFoundError } from '#kernel';
import { Injectable } from '@nestjs/common';
import { Attachment, Email } from '../domain/email.js';
import { EmailContents, ReadableAttachment } from './ports/email-contents.port.js';
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

  /** For whoever holds a signed link to it. What that takes is charged to the links of the team, not to its own requests. */
  async download(emailId: string, attachmentId: string): Promise<ReadableAttachment> {
    const email = known(await this.emails.find(emailId));
    const attachment = await this.contents.attachment(email, attachmentId, linksOf(email));
    if (attachment === undefined) throw new NotFoundError('Attachment');
    return attachment;
  }
}

export function linksOf({ teamId }: Email): string {
  return `links ${teamId}`;
}

function known(email: Email | undefined): Email {
  if (email === undefined) throw new NotFoundError('Email');
  return email;
}
