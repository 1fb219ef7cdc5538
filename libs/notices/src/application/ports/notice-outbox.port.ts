import { Notice } from '#kernel';

/** Notices that have been announced and not yet been sent. */
export abstract class NoticeOutbox {
  /**
   * Some of those that are due. Each is the caller's until then: one that has not been settled by that time, because
   * it was refused or the process is gone, is due again.
   */
  abstract take(now: Date, until: Date, most: number): Promise<readonly Notice[]>;

  /** It has been sent, and is never due again. */
  abstract settle(key: string, now: Date): Promise<void>;
}
