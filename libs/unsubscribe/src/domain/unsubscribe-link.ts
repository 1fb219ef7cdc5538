/** What a link to unsubscribe stands for. */
export interface UnsubscribeLink {
  readonly teamId: string;
  /** The address that the email was sent to. */
  readonly address: string;
  /** The topic of the email. Null: the link is about all mail of the team. */
  readonly topicId: string | null;
  /** The email that has the link, for the metrics. Links of earlier versions do not name it. */
  readonly emailId?: string;
}
