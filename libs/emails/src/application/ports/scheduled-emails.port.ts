/**
 * Scheduled emails that are not due yet. Each is either released or canceled, whichever comes first. All methods
 * decide by the same row, so that concurrent calls cannot do both.
 */
export abstract class ScheduledEmails {
  /**
   * Moves at most `limit` due emails into the outbound queue, with their events, in one transaction. The longest
   * overdue are first; while more is due than one call takes, teams take turns. Emails whose API key or domain was
   * deleted meanwhile fail. Emails that another process is releasing or changing are skipped. Resolves with the number
   * of emails, which is less than `limit` only once no more are due.
   */
  abstract release(now: Date, limit: number): Promise<number>;

  /** Returns false and changes nothing if the email is not waiting, or is not an email of this team. */
  abstract reschedule(teamId: string, emailId: string, dueAt: Date): Promise<boolean>;

  /** Returns false as `reschedule` does. */
  abstract cancel(teamId: string, emailId: string, now: Date): Promise<boolean>;

  /**
   * Ends the mail to these recipients: nothing is sent to them, and the email is canceled if it has no others. Changes
   * nothing if the email is not waiting, or is not an email of this team.
   */
  abstract withdraw(teamId: string, emailId: string, recipientNos: readonly number[], now: Date): Promise<void>;
}
