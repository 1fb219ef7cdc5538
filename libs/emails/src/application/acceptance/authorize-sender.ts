import { SendingDomains } from '#domains';
import type { Actor } from '#identity';
import { Principal } from '#identity';
import { Mailbox } from '#kernel';
import { Injectable } from '@nestjs/common';
import { Sender } from '../../domain/accepted-email.js';
import { SenderNotAllowedError } from '../../domain/email-errors.js';
import { RoomForMail } from '../ports/room-for-mail.port.js';

/** Step of acceptance: checks whether this principal may send, and from which domain. */
@Injectable()
export class AuthorizeSender {
  constructor(
    private readonly domains: SendingDomains,
    private readonly room: RoomForMail,
  ) {}

  /**
   * Called before the request is examined. Throws NoRoomForMailError where no mail can be stored, except for the
   * service itself: its notice may be about the lack of room.
   */
  requireRoom(principal: Principal): void {
    if (principal.actor.kind !== 'service') this.room.check();
  }

  /**
   * Returns the sender with the verified domain of the address. Throws where the domain or the permission is missing.
   */
  async authorize(principal: Principal, from: Mailbox): Promise<Sender> {
    principal.require('emails:send');
    const domain = await this.domains.require(principal.teamId, from.domain);
    if (!principal.isForDomain(domain.id)) throw new SenderNotAllowedError();
    return { teamId: principal.teamId, actor: principal.actor, domainId: domain.id, region: domain.region };
  }

  /** The sender of mail whose principal was authorized when it was started. Throws where the domain may not send any more. */
  async senderOf(
    { teamId, actor }: { readonly teamId: string; readonly actor: Actor },
    from: Mailbox,
  ): Promise<Sender> {
    this.room.check();
    const domain = await this.domains.require(teamId, from.domain);
    return { teamId, actor, domainId: domain.id, region: domain.region };
  }
}
