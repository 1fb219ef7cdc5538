import { Domain, SendingDomains } from '#domains';
import { Principal } from '#identity';
import { Mailbox } from '#kernel';
import { Injectable } from '@nestjs/common';
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

  /** Returns the verified domain of the sender's address. Throws where the domain or the permission is missing. */
  async domainOf(principal: Principal, from: Mailbox): Promise<Domain> {
    principal.require('emails:send');
    const domain = await this.domains.require(principal.teamId, from.domain);
    if (!principal.isForDomain(domain.id)) throw new SenderNotAllowedError();
    return domain;
  }
}
