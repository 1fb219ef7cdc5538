import { Domain, SendingDomains } from '#domains';
import { Principal } from '#identity';
import { Mailbox } from '#kernel';
import { Injectable } from '@nestjs/common';
import { SenderNotAllowedError } from '../../domain/email-errors.js';
import { RoomForMail } from '../ports/room-for-mail.port.js';

/** Step of acceptance: whether this principal may send, and from which domain. */
@Injectable()
export class AuthorizeSender {
  constructor(
    private readonly domains: SendingDomains,
    private readonly room: RoomForMail,
  ) {}

  /**
   * Before anything of the request is looked at. Throws NoRoomForMailError where no mail can be stored, but not for the
   * service itself: that may be what its notice is about.
   */
  requireRoom(principal: Principal): void {
    if (principal.actor.kind !== 'service') this.room.check();
  }

  /** The verified domain of the sender's address. Throws the error of what is missing. */
  async domainOf(principal: Principal, from: Mailbox): Promise<Domain> {
    principal.require('emails:send');
    const domain = await this.domains.require(principal.teamId, from.domain);
    if (!principal.isForDomain(domain.id)) throw new SenderNotAllowedError();
    return domain;
  }
}
