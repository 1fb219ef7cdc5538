/** What can have happened with the email of a broadcast to a contact. */
export const contactResults = [
  'sent',
  'delivered',
  'opened',
  'clicked',
  'bounced',
  'complained',
  'unsubscribed',
  'suppressed',
  'failed',
] as const;
export type ContactResult = (typeof contactResults)[number];

/** A broadcast as one contact got it, or did not. */
export interface ContactBroadcast {
  readonly broadcastId: string;
  readonly name: string | null;
  readonly subject: string;
  /** Null if the contact got no email, for this reason. */
  readonly emailId: string | null;
  readonly reason: string | null;
  /** In the order in which they happened first. Opens and clicks of machines do not count. */
  readonly results: readonly { readonly type: ContactResult; readonly count: number; readonly at: Date }[];
}
