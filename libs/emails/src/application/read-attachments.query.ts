import { NotFoundError } from '#kernel';
import { Injectable } from '@nestjs/common';
import { Attachment, Email } from '../domain/email.js';
import { EmailRepository } from './ports/email-repository.port.js';
import { MessageStore } from './ports/message-store.port.js';

/** The attachments of accepted emails. */
@Injectable()
export class ReadAttachments {
  constructor(
    private readonly emails: EmailRepository,
    private readonly store: MessageStore,
  ) {}

  async list(teamId: string, emailId: string): Promise<readonly Attachment[]> {
    const email = await this.emails.findMetadata(emailId, teamId);
    return email?.attachments === null ? this.inMime(emailId) : attachmentsOf(email);
  }

  async find(teamId: string, emailId: string, attachmentId: string): Promise<Attachment> {
    return pick(await this.list(teamId, emailId), attachmentId);
  }

  /** For whoever holds a signed link to it. */
  async download(emailId: string, attachmentId: string): Promise<{ attachment: Attachment; content: Uint8Array }> {
    const email = await this.emails.findMetadata(emailId);
    if (email?.attachments === null) {
      const found = (await this.emails.mimeAttachments(emailId)).find(({ attachment: { id } }) => id === attachmentId);
      if (found === undefined) throw new NotFoundError('Attachment');
      return found;
    }
    const attachment = pick(attachmentsOf(email), attachmentId);
    const content = (await this.store.get([attachmentId])).get(attachmentId);
    if (content === undefined) throw new NotFoundError('Attachment');
    return { attachment, content };
  }

  private async inMime(emailId: string): Promise<readonly Attachment[]> {
    return (await this.emails.mimeAttachments(emailId)).map(({ attachment }) => attachment);
  }
}

function attachmentsOf(email: Email | undefined): readonly Attachment[] {
  if (email === undefined) throw new NotFoundError('Email');
  return email.attachments ?? [];
}

function pick(attachments: readonly Attachment[], id: string): Attachment {
  const attachment = attachments.find((candidate) => candidate.id === id);
  if (attachment === undefined) throw new NotFoundError('Attachment');
  return attachment;
}
