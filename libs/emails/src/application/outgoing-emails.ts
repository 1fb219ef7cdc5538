import { Transaction } from '#kernel';
import { Injectable } from '@nestjs/common';
import { RecipientChange } from '../domain/email-events.js';
import { EmailRepository, LockedRecipient, OutgoingEmail } from './ports/email-repository.port.js';

/** What delivery needs of emails: their content, and a place to say what became of them. */
@Injectable()
export class OutgoingEmails {
  constructor(private readonly emails: EmailRepository) {}

  load(ids: readonly string[]): Promise<ReadonlyMap<string, OutgoingEmail>> {
    return this.emails.load(ids);
  }

  record(changes: readonly RecipientChange[], transaction: Transaction): Promise<void> {
    return this.emails.recordChanges(changes, transaction);
  }

  /** The team of each of the emails, by email id. Unknown ids are absent. */
  teamsOf(ids: readonly string[], transaction: Transaction): Promise<ReadonlyMap<string, string>> {
    return this.emails.teamsOf(ids, transaction);
  }

  /** The recipient as it is now. Until the transaction ends nobody else changes it. Undefined where it is not known. */
  lockRecipient(emailId: string, no: number, transaction: Transaction): Promise<LockedRecipient | undefined> {
    return this.emails.lockRecipient(emailId, no, transaction);
  }
}
