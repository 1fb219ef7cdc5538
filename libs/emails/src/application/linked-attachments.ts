import { Injectable } from '@nestjs/common';
import { CompleteDraft, Draft, maximumEmailSize } from '../domain/draft.js';
import { DraftAttachment, encodedSize, isContentType, LinkedAttachment } from '../domain/draft-attachment.js';
import { EmailTooLargeError, InvalidAttachmentError } from '../domain/email-errors.js';
import { AttachmentSource, AttachmentUnavailableError } from './ports/attachment-source.port.js';

/** All links of one email together. Clients give up after 30 seconds at the earliest. */
const patienceMs = 20_000;

/**
 * Fetches the attachments that a draft names by URL, before the email is accepted.
 *
 * Others fetch after acceptance and fail the email when that does not work. Here the answer to the request says it at
 * once, and an accepted email is complete: what is delivered, retried, listed and shared is the same bytes, also for
 * mail that is scheduled for next month, when a signed URL would have run out long ago.
 */
@Injectable()
export class LinkedAttachments {
  constructor(private readonly source: AttachmentSource) {}

  async fetch(teamId: string, draft: Draft): Promise<CompleteDraft> {
    const givesUpAt = performance.now() + patienceMs;
    let size = draft.size;
    const attachments: DraftAttachment[] = [];
    for (const attachment of draft.attachments) {
      if ('content' in attachment) {
        attachments.push(attachment);
        continue;
      }
      const fetched = await this.fetchOne(teamId, attachment, maximumEmailSize - size, givesUpAt - performance.now());
      size += encodedSize([fetched]);
      if (size > maximumEmailSize) throw new EmailTooLargeError();
      attachments.push(fetched);
    }
    return { ...draft, attachments, size };
  }

  private async fetchOne(
    teamId: string,
    link: LinkedAttachment,
    room: number,
    timeoutMs: number,
  ): Promise<DraftAttachment> {
    const limits = { bytes: Math.floor(room / 4) * 3, timeoutMs: Math.max(1, Math.round(timeoutMs)) };
    const { path, ...described } = link;
    try {
      const { content, contentType } = await this.source.fetch(teamId, path, limits);
      return { ...described, content, contentType: link.contentType ?? usable(contentType) };
    } catch (error) {
      if (!(error instanceof AttachmentUnavailableError)) throw error;
      // Without the query, which may hold a signature.
      throw new InvalidAttachmentError(`The attachment at ${path.split('?', 1)[0]} was not fetched: ${error.message}.`);
    }
  }
}

function usable(contentType: string | undefined): string {
  const type = contentType?.split(';', 1)[0]?.trim();
  return type !== undefined && isContentType(type) ? type : 'application/octet-stream';
}
