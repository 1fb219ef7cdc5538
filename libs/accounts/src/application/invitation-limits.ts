import type { Principal } from '#identity';
import { Clock } from '#kernel';
import { Injectable } from '@nestjs/common';
import { invitationLimits, TooManyInvitationsError } from '../domain/team-rules.js';
import { AttemptCounts, CountedAttempt } from './ports/attempt-counts.port.js';
import { hashLinkToken } from './link-tokens.js';

/** Bounds the mail that teams can make the service send to strangers. */
@Injectable()
export class InvitationLimits {
  constructor(
    private readonly counts: AttemptCounts,
    private readonly clock: Clock,
  ) {}

  /** Throws TooManyInvitationsError. */
  async take({ teamId, actor }: Principal, email: string): Promise<void> {
    const now = this.clock.now();
    const attempts: readonly (CountedAttempt & { readonly kind: keyof typeof invitationLimits })[] = [
      { kind: 'invite-actor', key: actor.kind === 'service' ? teamId : actor.id },
      { kind: 'invite-team', key: teamId },
      { kind: 'invite-address', key: hashLinkToken(email).toString('base64url') },
    ];
    for (const attempt of attempts) {
      const limit = invitationLimits[attempt.kind];
      if ((await this.counts.add(attempt, limit, now)) > limit.max) throw new TooManyInvitationsError();
    }
  }
}
