/** The recipient that a pixel or a link was made for. */
export interface TrackedRecipient {
  readonly emailId: string;
  readonly recipientNo: number;
}

/** A link in the copy of one recipient. */
export interface TrackedLink extends TrackedRecipient {
  /** As the sender wrote it: http or https. */
  readonly url: string;
}
