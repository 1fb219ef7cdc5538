import type { EmailEventType } from '#events';
import { RecipientStatus } from './email-status.js';

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
