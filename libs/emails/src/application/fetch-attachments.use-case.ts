import { Injectable } from '@nestjs/common';
import { checkAttachments, DraftAttachment, RequestedAttachment } from '../domain/draft-attachment.js';
import { fetched, LinkedAttachments } from './linked-attachments.js';

/** Fetches the linked attachments of emails that are not sent yet, for features that keep the bytes themselves. */
@Injectable()
export class FetchAttachments {
  constructor(private readonly linked: LinkedAttachments) {}

  /**
   * Runs `work` with the attachments and their bytes, which hold memory until `work` has ended. Throws what
   * `POST /emails` refuses.
   */
  async during<Result>(
    teamId: string,
    requested: readonly RequestedAttachment[],
    work: (attachments: readonly DraftAttachment[]) => Promise<Result>,
  ): Promise<Result> {
    checkAttachments(requested);
    return this.linked.during(teamId, async (fetches) => work(await fetched(requested, fetches)));
  }
}
