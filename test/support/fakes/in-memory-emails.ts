import type { EmailEventType, LastEvent } from '#events';
import { AcceptedEmail } from '../../../libs/emails/src/domain/accepted-email.js';
import { Email } from '../../../libs/emails/src/domain/email.js';
import { EmailEvent, RecipientStatus } from '../../../libs/emails/src/domain/email-events.js';

/** A recipient of a stored email. */
export interface InMemoryRecipient {
  readonly no: number;
  readonly address: string;
  status: RecipientStatus;
}

/** An email with its recipients and events. */
export class InMemoryEmail {
  readonly recipients: InMemoryRecipient[] = [];
  readonly events: EmailEvent[] = [];

  readonly region: string;
  email: Email;

  constructor({ email, region, recipients }: AcceptedEmail) {
    this.email = email;
    this.region = region;
    const isScheduled = email.scheduledAt !== null;
    if (isScheduled) this.log('email.scheduled', null, null, email.createdAt);
    for (const { no, address, withheld } of recipients) {
      const status = withheld?.status ?? (isScheduled ? 'scheduled' : 'queued');
      this.recipients.push({ no, address, status });
      if (isScheduled) continue;
      const type = withheld === undefined ? 'email.sent' : (`email.${withheld.status}` as const);
      this.log(type, address, withheld?.data ?? null, email.createdAt);
    }
  }

  log(type: EmailEventType, recipient: string | null, data: EmailEvent['data'], createdAt: Date): void {
    const seq = this.events.length + 1;
    this.events.push({ emailId: this.email.id, seq, type, recipient, data, createdAt });
  }

  change(changes: { readonly lastEvent?: LastEvent; readonly scheduledAt?: Date }): void {
    this.email = { ...this.email, ...changes };
  }
}

/** Keeps the emails that the in-memory adapters share, for tests. */
export class InMemoryEmails {
  readonly byId = new Map<string, InMemoryEmail>();
  /** Due times of scheduled emails, by email id. */
  readonly waiting = new Map<string, Date>();
}
