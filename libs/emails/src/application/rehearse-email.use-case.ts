import { Principal } from '#identity';
import { UnitOfWork } from '#kernel';
import { Quotas } from '#rate-limit';
import { Injectable } from '@nestjs/common';
import { AcceptedEmail } from '../domain/accepted-email.js';
import { SendRequest } from '../domain/draft.js';
import { ComposeEmail } from './compose-email.js';
import { outgoingOf, OutgoingEmails } from './outgoing-emails.js';
import { OutgoingEmail } from './ports/email-repository.port.js';
import { RoomForMail } from './ports/message-store.port.js';
import { RecipientScreening, screened } from './recipient-screening.js';
import { countedMessages, withKeyLimit } from './write-emails.js';

export interface RehearsedEmail {
  /** With what keeps recipients from getting it. For scheduled mail: what would keep them now. */
  readonly accepted: AcceptedEmail;
  /** The email as delivery would load it. */
  readonly outgoing: OutgoingEmail;
}

/** Does all that `AcceptEmails.send` does before its transaction. Stores, counts and queues nothing. */
@Injectable()
export class RehearseEmail {
  constructor(
    private readonly compose: ComposeEmail,
    private readonly room: RoomForMail,
    private readonly quotas: Quotas,
    private readonly screening: RecipientScreening,
    private readonly emails: OutgoingEmails,
    private readonly work: UnitOfWork,
  ) {}

  /**
   * Throws what sending would be refused with. `use` gets the email while its files are in memory, which are freed
   * afterwards.
   */
  rehearse<Result>(
    principal: Principal,
    request: SendRequest,
    use: (rehearsed: RehearsedEmail) => Promise<Result>,
  ): Promise<Result> {
    return this.compose.fetching(principal.teamId, async (fetches) => {
      this.room.check();
      const email = await this.compose.rehearsed(principal, request, fetches);
      for (const one of countedMessages(withKeyLimit(principal, [email]))) await this.quotas.refuseNow(one);
      const accepted = await this.screen(email);
      return use({ accepted, outgoing: this.emails.personal(outgoingOf(accepted)) });
    });
  }

  private async screen(accepted: AcceptedEmail): Promise<AcceptedEmail> {
    const { teamId, topicId } = accepted.email;
    const recipients = accepted.recipients.map(({ address }) => ({ teamId, address, topicId }));
    const verdict = await this.work.run((transaction) => this.screening.verdicts(recipients, transaction));
    return screened(accepted, verdict);
  }
}
