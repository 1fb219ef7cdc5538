import { Injectable } from '@nestjs/common';
import { CompleteDraft, Draft, maxEmailBytes } from '../domain/draft.js';
import { DraftAttachment, encodedSize, isContentType, LinkedAttachment } from '../domain/draft-attachment.js';
import { EmailTooLargeError, InvalidAttachmentError } from '../domain/email-errors.js';
import { AttachmentBudget, AttachmentFetches } from './attachment-fetches.js';
import { AttachmentSource, AttachmentUnavailableError } from './ports/attachment-source.port.js';

/**
 * Fetches the attachments that a draft links by URL, before the email is accepted.
 *
 * Other services fetch after acceptance, and the email fails if the fetch does. Here the response reports the failure
 * at once, and an accepted email is complete: delivery, retries, lists and shared links use the same bytes, even for
 * mail that is scheduled for next month, when a signed URL would have expired.
 */
@Injectable()
export class LinkedAttachments {
  private readonly budget = new AttachmentBudget();

  constructor(private readonly source: AttachmentSource) {}

  /**
   * Runs `work` with the fetches of one request, for one email or a whole batch. The fetches hold their memory until
   * `work` has ended, when the emails are durable or refused.
   */
  async during<Result>(teamId: string, work: (fetches: AttachmentFetches) => Promise<Result>): Promise<Result> {
    const fetches = new AttachmentFetches(this.source, this.budget, teamId);
    try {
      return await work(fetches);
    } finally {
      fetches.end();
    }
  }

  async complete(draft: Draft, fetches: AttachmentFetches): Promise<CompleteDraft> {
    if (draft.attachments.length === 0) return { ...draft, attachments: [] };
    const attachments = await Promise.all(
      draft.attachments.map(async (attachment) =>
        'content' in attachment ? attachment : fetchOne(attachment, fetches),
      ),
    );
    const size = draft.size - encodedSize(draft.attachments) + encodedSize(attachments);
    if (size > maxEmailBytes) throw new EmailTooLargeError();
    return { ...draft, attachments, size };
  }
}

async function fetchOne(link: LinkedAttachment, fetches: AttachmentFetches): Promise<DraftAttachment> {
  const { path, ...described } = link;
  try {
    const { content, contentType } = await fetches.fetch(path);
    return { ...described, content, contentType: link.contentType ?? usable(contentType) };
  } catch (error) {
    if (!(error instanceof AttachmentUnavailableError)) throw error;
    // The query is left out: it may contain a signature.
    throw new InvalidAttachmentError(`The attachment at ${path.split('?', 1)[0]} was not fetched: ${error.message}.`);
  }
}

function usable(contentType: string | undefined): string {
  const type = contentType?.split(';', 1)[0]?.trim();
  return type !== undefined && isContentType(type) ? type : 'application/octet-stream';
}
