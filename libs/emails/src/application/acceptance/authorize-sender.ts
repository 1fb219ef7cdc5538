import { SendingDomains } from '#domains';
import { Principal } from '#identity';
import { Mailbox } from '#kernel';
import { Injectable } from '@nestjs/common';
import { Sender } from '../../domain/accepted-email.js';
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

  /** The sender, with the verified domain of the address. Throws the error of what is missing. */
  async authorize(principal: Principal, from: Mailbox): Promise<Sender> {
    principal.require('emails:send');
    const domain = await this.domains.require(principal.teamId, from.domain);
    if (!principal.isForDomain(domain.id)) throw new SenderNotAllowedError();
    return { teamId: principal.teamId, actor: principal.actor, domainId: domain.id, region: domain.region };
  }
}
