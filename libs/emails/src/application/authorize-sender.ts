import { SendingDomains, sendingRegion } from '#domains';
import type { Actor } from '#identity';
import { Principal } from '#identity';
import { Mailbox } from '#kernel';
import { Injectable } from '@nestjs/common';
import { Sender } from '../domain/accepted-email.js';
import { SenderNotAllowedError } from '../domain/email-errors.js';

/** Checks whether a principal may send, and from which domain. */
@Injectable()
export class AuthorizeSender {
  constructor(private readonly domains: SendingDomains) {}

  /** Returns the sender with the verified domain of the address. Throws if the domain or the permission is missing. */
  async authorize(principal: Principal, from: Mailbox): Promise<Sender> {
    principal.require('emails:send');
    const sender = await this.senderOf(principal, from);
    if (!principal.isForDomain(sender.domainId)) throw new SenderNotAllowedError();
    return sender;
  }

  /** The sender of mail whose principal was authorized when it was started. Throws if the domain may not send any more. */
  async senderOf(
    { teamId, actor }: { readonly teamId: string; readonly actor: Actor },
    from: Mailbox,
  ): Promise<Sender> {
    const domain = await this.domains.require(teamId, from.domain);
    return { teamId, actor, domainId: domain.id, region: sendingRegion(domain) };
  }
}
