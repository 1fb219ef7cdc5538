import type { Principal } from '#identity';
import { Clock } from '#kernel';
import { Injectable } from '@nestjs/common';
import { invitationLimits, TooManyInvitationsError } from '../domain/team-rules.js';
import { AttemptCounts, CountedWindow, secondsUntil } from './ports/attempt-counts.port.js';
import { hashLinkToken } from './invitation-mail.js';

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
    const add = (kind: keyof typeof invitationLimits, key: string): Promise<CountedWindow> =>
      this.counts.add({ kind, key }, invitationLimits[kind], now);
    const take = async (kind: keyof typeof invitationLimits, key: string): Promise<number> => {
      const { count, endsAt } = await add(kind, key);
      if (count > invitationLimits[kind].max) throw new TooManyInvitationsError(secondsUntil(endsAt, now));
      return count;
    };
    await take('invite-actor', actor.kind === 'service' ? teamId : actor.id);
    await take('invite-team', teamId);
    const ofTeam = await take('invite-address', hashed(`${teamId} ${email}`));
    if (ofTeam === 1) await add('invite-anywhere', hashed(email));
    else await take('invite-anywhere', hashed(email));
  }
}

function hashed(text: string): string {
  return hashLinkToken(text).toString('base64url');
}
