import { Notice } from '#kernel';

/** Notices that were announced but not yet sent. */
export abstract class NoticeOutbox {
  /**
   * Leases up to `max` due notices to the caller until `until`: urgent ones first, and owners in turns. A notice that
   * is not marked as sent by then (it was refused, or the process ended) is due again.
   */
  abstract acquire(now: Date, until: Date, max: number): Promise<readonly Notice[]>;

  /** Marks a notice as sent, so that it is never due again. */
  abstract markSent(key: string, now: Date): Promise<void>;
}
