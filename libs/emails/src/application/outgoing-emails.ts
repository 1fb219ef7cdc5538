import { Transaction } from '#kernel';
import { Injectable } from '@nestjs/common';
import { contentIdOf } from '../domain/email.js';
import { RecipientChange } from '../domain/email-events.js';
import { PersonalBody } from '../domain/shared-content.js';
import { EmailRepository, LockedRecipient, OutgoingEmail } from './ports/email-repository.port.js';

/** Gives delivery the content of emails, and records the outcomes of delivery. */
@Injectable()
export class OutgoingEmails {
  constructor(private readonly emails: EmailRepository) {}

  /**
   * Loads emails as their recipients get them: shared content is rendered with the email's merge values. Unknown ids
   * are absent.
   */
  async load(ids: readonly string[]): Promise<ReadonlyMap<string, OutgoingEmail>> {
    const emails = await this.emails.load(ids);
    return [...emails.values()].every(({ email }) => email.mergeValues === null) ? emails : personal(emails);
  }

  record(changes: readonly RecipientChange[], transaction: Transaction): Promise<void> {
    return this.emails.recordChanges(changes, transaction);
  }

  /** The team of each of the emails, by email id. Unknown ids are absent. */
  teamsOf(ids: readonly string[], transaction: Transaction): Promise<ReadonlyMap<string, string>> {
    return this.emails.teamsOf(ids, transaction);
  }

  /**
   * Reads the current state of a recipient, and locks it until the transaction ends. Undefined where it is not known.
   */
  lockRecipient(emailId: string, no: number, transaction: Transaction): Promise<LockedRecipient | undefined> {
    return this.emails.lockRecipient(emailId, no, transaction);
  }
}

/** Renders personal content. Compiles each content once for all emails that share it. */
function personal(emails: ReadonlyMap<string, OutgoingEmail>): ReadonlyMap<string, OutgoingEmail> {
  const bodies = new Map<string, PersonalBody>();
  const bodyOf = ({ email, body }: OutgoingEmail): PersonalBody => {
    const id = contentIdOf(email);
    const known = bodies.get(id);
    if (known !== undefined) return known;
    const compiled = new PersonalBody({ html: body.html?.toString() ?? null, text: body.text?.toString() ?? null });
    bodies.set(id, compiled);
    return compiled;
  };
  return new Map(
    [...emails].map(([id, outgoing]) => {
      const values = outgoing.email.mergeValues;
      return [id, values === null ? outgoing : { ...outgoing, body: bodyOf(outgoing).render(values) }];
    }),
  );
}
