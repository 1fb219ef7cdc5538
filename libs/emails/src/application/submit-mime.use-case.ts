import { Principal } from '#identity';
import { Clock, newId } from '#kernel';
import { Injectable } from '@nestjs/common';
import { AcceptedEmail, envelopeOfAddresses, SpooledMime } from '../domain/accepted-email.js';
import { refuseFakeRecipients } from '../domain/fake-recipients.js';
import { acceptedRawEmail, checkRawRequest, RawSendRequest } from '../domain/raw-email.js';
import { AcceptOnce } from './acceptance/accept-once.js';
import { AuthorizeSender } from './acceptance/authorize-sender.js';
import { idempotentRawRequest } from './idempotent-raw-request.js';
import { MimeSpool } from './ports/mime-spool.port.js';

/** Sends a finished MIME message to the recipients of its envelope, whatever addresses its header names. */
@Injectable()
export class SubmitMime {
  constructor(
    private readonly authorizeSender: AuthorizeSender,
    private readonly spool: MimeSpool,
    private readonly acceptOnce: AcceptOnce,
    private readonly clock: Clock,
  ) {}

  /** The content is read only after all other checks have passed. Errors while it is read are thrown from here. */
  async execute(principal: Principal, request: RawSendRequest): Promise<{ readonly id: string }> {
    let spooled: SpooledMime | undefined;
    try {
      return await this.acceptOnce.execute(principal, idempotentRawRequest(principal.teamId, request), async () => {
        const email = await this.prepare(principal, request);
        spooled = email.mime;
        return { emails: [email], response: { id: email.email.id } };
      });
    } finally {
      if (spooled !== undefined) this.spool.release(spooled);
    }
  }

  private async prepare(principal: Principal, request: RawSendRequest): Promise<AcceptedEmail> {
    const now = this.clock.now();
    const checked = checkRawRequest(request, now);
    const sender = await this.authorizeSender.authorize(principal, checked.from);
    refuseFakeRecipients(request.recipients);
    const id = newId(now.getTime());
    const mime = await this.spool.take(id, request.content);
    return acceptedRawEmail(id, sender, checked, envelopeOfAddresses(request.recipients), mime, now);
  }
}
