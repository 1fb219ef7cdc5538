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
    return attachmentsOf(await this.emails.findMetadata(emailId, teamId));
  }

  async find(teamId: string, emailId: string, attachmentId: string): Promise<Attachment> {
    return pick(await this.list(teamId, emailId), attachmentId);
  }

  /** For whoever holds a signed link to it. */
  async download(emailId: string, attachmentId: string): Promise<{ attachment: Attachment; content: Uint8Array }> {
    const attachment = pick(attachmentsOf(await this.emails.findMetadata(emailId)), attachmentId);
    const content = (await this.store.get([attachmentId])).get(attachmentId);
    if (content === undefined) throw new NotFoundError('Attachment');
    return { attachment, content };
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
