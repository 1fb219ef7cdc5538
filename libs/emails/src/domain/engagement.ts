/** Something a recipient, or a machine on its way, did with an email that has arrived: an open or a click. */
export interface Engagement {
  readonly emailId: string;
  readonly recipientNo: number;
  readonly event: 'email.opened' | 'email.clicked';
  readonly data: Readonly<Record<string, unknown>>;
  readonly isMachine: boolean;
  readonly at: Date;
}

/**
 * Events of one kind that one recipient can have, machines' counted apart: nobody fills the database by loading a
 * picture over and over.
 */
export const maxEngagements = 100;
