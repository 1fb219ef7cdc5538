import type { EmailEventType } from '#events';

/**
 * The state of one recipient. `queued` and `delayed` recipients are still to be delivered. The other states are final,
 * except that a delivered recipient may still bounce, reported by a later server, or complain, each once.
 */
export type RecipientStatus =
  'scheduled' | 'queued' | 'delayed' | 'delivered' | 'bounced' | 'complained' | 'failed' | 'suppressed' | 'canceled';

/** Something that happened to an email. `seq` counts from 1 within the email without gaps. */
export interface EmailEvent {
  readonly emailId: string;
  readonly seq: number;
  readonly type: EmailEventType;
  /** Address of the recipient concerned; null if the event concerns the whole email. */
  readonly recipient: string | null;
  readonly data: Readonly<Record<string, unknown>> | null;
  readonly createdAt: Date;
}

/** A new state of a recipient, with the event that reports it. */
export interface RecipientChange {
  readonly emailId: string;
  readonly recipientNo: number;
  readonly status: RecipientStatus;
  readonly event: EmailEventType;
  readonly data: Readonly<Record<string, unknown>> | null;
  readonly at: Date;
}

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
