import { Page, PageRequest, Transaction } from '#kernel';
import type { RequestedAttachment } from '#emails';
import { DraftFile, DraftSummary, InboxDraft } from '../../domain/draft.js';
import { Body } from '../../domain/forwarded-body.js';
import { InboxEmail } from '../../domain/thread.js';

export type AddedDraft = 'added' | 'full' | 'too many bytes' | 'no inbox';

/**
 * The drafts of all inboxes. An inbox is named by its id: the caller has made sure that it belongs to the team. Files
 * are the attachments of a draft with their bytes.
 */
export abstract class DraftRepository {
  /**
   * `full`: the team has `maxOpenDrafts` drafts. `too many bytes`: the drafts of the team would have more than
   * `maxTeamFileBytes` of attachments. Nothing is added then, and the transaction can still be used.
   */
  abstract add(
    teamId: string,
    draft: InboxDraft,
    files: readonly DraftFile[],
    transaction: Transaction,
  ): Promise<AddedDraft>;

  abstract find(inboxId: string, id: string): Promise<InboxDraft | undefined>;

  /** Those that are not sent, newest first. */
  abstract list(inboxId: string, page: PageRequest): Promise<Page<DraftSummary>>;

  /** Locks the draft until the transaction ends. */
  abstract lock(inboxId: string, id: string, transaction: Transaction): Promise<InboxDraft | undefined>;

  /**
   * Lets one transaction of the team at a time change attachments. To be called before `lock`: who locks a draft never
   * waits for this.
   */
  abstract lockAttachments(teamId: string, transaction: Transaction): Promise<void>;

  /**
   * Writes a locked draft.
   *
   * @param files those of its attachments that are new; what it had besides its attachments is removed. Undefined: all stay
   * @returns false if the drafts of the team would have more than `maxTeamFileBytes` of attachments
   */
  abstract change(
    teamId: string,
    draft: InboxDraft,
    files: readonly DraftFile[] | undefined,
    transaction: Transaction,
  ): Promise<boolean>;

  /** The attachments of a draft, in order. */
  abstract files(draftId: string): Promise<readonly DraftFile[]>;

  /** Removes a locked draft. */
  abstract remove(draftId: string, transaction: Transaction): Promise<void>;

  /** Writes a locked draft that is sent. The bytes of its attachments are removed. */
  abstract markSent(draft: InboxDraft, transaction: Transaction): Promise<void>;
}

export interface OriginalContents {
  readonly body: Body;
  readonly attachments: readonly RequestedAttachment[];
}

/** The emails of inboxes as they were received or sent. Reads are charged to the team. */
export abstract class OriginalEmails {
  /** The message ids of its references, that with which its thread began first. Empty if they are gone. */
  abstract references(teamId: string, email: InboxEmail): Promise<readonly string[]>;

  /** Bytes of the whole email; undefined if its content is gone. */
  abstract sizeOf(teamId: string, email: InboxEmail): Promise<number | undefined>;

  /** Throws UnreadableEmailError, or NotFoundError if the content is gone. The caller has memory for all of it. */
  abstract contents(teamId: string, email: InboxEmail): Promise<OriginalContents>;
}
