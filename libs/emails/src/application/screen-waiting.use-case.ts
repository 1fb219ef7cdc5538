import { UnitOfWork } from '#kernel';
import { Injectable } from '@nestjs/common';
import { Withheld } from '../domain/withheld-recipient.js';
import { RecipientScreening } from './recipient-screening.js';
import { EmailRepository } from './ports/email-repository.port.js';

/** A recipient of bulk mail that waits in a lane. */
export interface WaitingRecipient {
  readonly emailId: string;
  readonly teamId: string;
  readonly address: string;
}

/** Decides again about bulk mail that has waited since it was accepted: its recipients may want it no more. */
@Injectable()
export class ScreenWaiting {
  constructor(
    private readonly emails: EmailRepository,
    private readonly screening: RecipientScreening,
    private readonly work: UnitOfWork,
  ) {}

  /** For each recipient, in order: why it must not get the email, or undefined if it may. Writes nothing. */
  screen(recipients: readonly WaitingRecipient[]): Promise<readonly (Withheld | undefined)[]> {
    return this.work.run(async (transaction) => {
      const topics = await this.emails.topicsOf(
        recipients.map(({ emailId }) => emailId),
        transaction,
      );
      const asked = recipients.map(({ emailId, teamId, address }) => ({
        teamId,
        address,
        topicId: topics.get(emailId) ?? null,
        isBulk: true,
      }));
      const verdict = await this.screening.verdicts(asked, transaction);
      return asked.map(verdict);
    });
  }
}
