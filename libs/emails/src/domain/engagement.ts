/** An open or a click of a delivered email, by its recipient or by a machine on the way. */
export interface Engagement {
  readonly emailId: string;
  readonly recipientNo: number;
  readonly event: 'email.opened' | 'email.clicked';
  readonly data: Readonly<Record<string, unknown>>;
  readonly isMachine: boolean;
  readonly at: Date;
}

/**
 * Limit of events of one kind for one recipient, counted separately for machines, so that loading a picture again and
 * again cannot fill the database.
 */
export const maxEngagements = 100;
