import { IdempotentRequest } from '#idempotency';
import { Principal } from '#identity';
import { Injectable } from '@nestjs/common';
import { SendRequest } from '../domain/draft.js';
import { AcceptOnce } from './acceptance/accept-once.js';
import { ComposeEmail } from './acceptance/compose-email.js';
import { LinkedAttachments } from './linked-attachments.js';

/** Sends one email. */
@Injectable()
export class SendEmail {
  constructor(
    private readonly composeEmail: ComposeEmail,
    private readonly linkedAttachments: LinkedAttachments,
    private readonly acceptOnce: AcceptOnce,
  ) {}

  /** Resolves with the email's id once the email is durable. A refusal changes nothing. */
  execute(
    principal: Principal,
    request: SendRequest,
    idempotent?: IdempotentRequest,
  ): Promise<{ readonly id: string }> {
    return this.linkedAttachments.during(principal.teamId, (fetches) =>
      this.acceptOnce.execute(principal, idempotent, async () => {
        const email = await this.composeEmail.execute(principal, request, fetches);
        return { emails: [email], response: { id: email.email.id } };
      }),
    );
  }
}
