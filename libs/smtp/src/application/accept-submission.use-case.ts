import { RawSendRequest, RoomForMail, SubmitMime } from '#emails';
import { AuthenticateApiKey, Principal } from '#identity';
import { RateLimiter, RateLimitExceededError } from '#rate-limit';
import { Injectable } from '@nestjs/common';

/** A message over SMTP, accepted by the same rules as one over HTTP. */
@Injectable()
export class AcceptSubmission {
  constructor(
    private readonly authenticateApiKey: AuthenticateApiKey,
    private readonly submitMime: SubmitMime,
    private readonly rateLimiter: RateLimiter,
    private readonly room: RoomForMail,
  ) {}

  /** Who holds the key; throws where nobody does. */
  logIn(apiKey: string): Promise<Principal> {
    return this.authenticateApiKey.execute(apiKey);
  }

  /**
   * Before a message is sent. Sessions live for hours, keys may not: the key is looked at anew for each message. What is
   * over the team's rate, which it has in common with the HTTP API, or has no room, is refused here, before anything of
   * the message has been sent.
   */
  async begin(apiKey: string): Promise<Principal> {
    this.room.check();
    const principal = await this.authenticateApiKey.execute(apiKey);
    const { allowed, limit } = await this.rateLimiter.take(principal.teamId);
    if (!allowed) throw new RateLimitExceededError(limit);
    return principal;
  }

  /** Resolves once the message is durable. */
  execute(principal: Principal, message: RawSendRequest): Promise<{ readonly id: string }> {
    return this.submitMime.execute(principal, message);
  }
}
