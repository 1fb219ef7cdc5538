import { RawSendRequest, SendEmail } from '#emails';
import { AuthenticateApiKey, Caller } from '#identity';
import { Injectable } from '@nestjs/common';
import { SubmissionRate } from './ports/submission-rate.port.js';

/** A message over SMTP, accepted by the same rules as one over HTTP. */
@Injectable()
export class AcceptSubmission {
  constructor(
    private readonly authenticateApiKey: AuthenticateApiKey,
    private readonly sendEmail: SendEmail,
    private readonly rate: SubmissionRate,
  ) {}

  /** Who holds the key; throws where nobody does. */
  logIn(apiKey: string): Promise<Caller> {
    return this.authenticateApiKey.execute(apiKey);
  }

  /**
   * Before a message is sent. Sessions live for hours, keys may not: the key is looked at anew for each message. What is
   * over the limit is refused here, before anything of the message has been sent.
   */
  async begin(apiKey: string): Promise<Caller> {
    const caller = await this.authenticateApiKey.execute(apiKey);
    await this.rate.take(caller.teamId);
    return caller;
  }

  /** Resolves once the message is durable. */
  execute(caller: Caller, message: RawSendRequest): Promise<{ readonly id: string }> {
    return this.sendEmail.executeRaw(caller, message);
  }
}
