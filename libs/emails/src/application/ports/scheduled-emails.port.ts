/**
 * The emails that wait for their time. Each leaves once: released, or canceled, whichever is first. All three moves
 * below decide by the same row, so that no interleaving of them ends in both.
 */
export abstract class ScheduledEmails {
  /**
   * Moves at most `limit` emails that are due into the outbound queue, longest due first, with their events, in one
   * transaction; those whose API key or domain was deleted meanwhile fail. Emails that another process is moving, or somebody is changing, are passed over. Resolves with how many.
   */
  abstract release(now: Date, limit: number): Promise<number>;

  /** False where the team's email does not wait any more, or never did: then nothing has changed. */
  abstract reschedule(teamId: string, emailId: string, dueAt: Date): Promise<boolean>;

  /** False as above. */
  abstract cancel(teamId: string, emailId: string, now: Date): Promise<boolean>;
}
