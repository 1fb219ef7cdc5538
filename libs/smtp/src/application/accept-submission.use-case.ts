import { AcceptEmails, RawSendRequest, RoomForMail } from '#emails';
import { AuthenticateApiKey, Principal } from '#identity';
import { RateLimiter, RateLimitExceededError } from '#rate-limit';
import { Injectable } from '@nestjs/common';

/** Accepts messages over SMTP by the same rules as messages over HTTP. */
@Injectable()
export class AcceptSubmission {
  constructor(
    private readonly authenticateApiKey: AuthenticateApiKey,
    private readonly acceptEmails: AcceptEmails,
    private readonly rateLimiter: RateLimiter,
    private readonly room: RoomForMail,
  ) {}

  /** The holder of the key. Throws if the key is not valid, or not accepted from the address of the client. */
  async logIn(apiKey: string, clientAddress: string): Promise<Principal> {
    return this.authenticateApiKey.authenticate(apiKey, clientAddress);
  }

  /**
   * To be called before the content of a message is sent. Sessions may live longer than keys, so the key is checked
   * again for each message. A message that exceeds the team's rate, which is shared with the HTTP API, or for which
   * there is no room, is refused here.
   */
  async begin(apiKey: string, clientAddress: string): Promise<Principal> {
    this.room.check();
    const principal = await this.authenticateApiKey.authenticate(apiKey, clientAddress);
    const { allowed, limit } = await this.rateLimiter.take(principal.teamId);
    if (!allowed) throw new RateLimitExceededError(limit);
    return principal;
  }

  /** Resolves once the message is durable. */
  accept(principal: Principal, message: RawSendRequest): Promise<{ readonly id: string }> {
    return this.acceptEmails.submit(principal, message);
  }
}
