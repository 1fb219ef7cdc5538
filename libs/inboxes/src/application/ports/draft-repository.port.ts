import { Page, PageRequest, Transaction } from '#kernel';
import { DraftFile, DraftSummary, InboxDraft } from '../../domain/draft.js';

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
   * @param files in place of those that it has; undefined: they stay
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
