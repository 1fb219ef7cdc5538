import { OwnedDomains } from '#domains';
import { Clock, EmailAddress, newId, Notices, parseEmailAddress } from '#kernel';
import { Injectable } from '@nestjs/common';
import { SandboxInbox } from './ports/inbox.port.js';

/** A message as received, with the fields read from its header. */
export interface SandboxMessage {
  /** Reverse-path without brackets; empty for the null sender. */
  readonly mailFrom: string;
  readonly recipients: readonly string[];
  readonly from: string;
  /** The first address in From, whose domain is in lower-case A-labels; undefined if there is none. */
  readonly fromAddress: EmailAddress | undefined;
  readonly subject: string;
  readonly raw: Uint8Array;
}

/**
 * Stores a message for the team that owns the domain in its From field, if its return path is at a domain of the team.
 *
 * What a team writes has both, so they identify the team without reading the email itself, and a message that was
 * altered or never signed is still listed for its team. A forwarded message has the From field of its author and the
 * return path of the team that passes it on, or the null sender: it is kept for no team, unless both are of one team.
 */
@Injectable()
export class ReceiveMessage {
  constructor(
    private readonly domains: OwnedDomains,
    private readonly inbox: SandboxInbox,
    private readonly notices: Notices,
    private readonly clock: Clock,
  ) {}

  /** Resolves once the message is durable. */
  async receive(message: SandboxMessage): Promise<void> {
    const { recipients, from, subject, raw } = message;
    await this.inbox.add({
      id: newId(),
      teamId: (await this.teamOf(message)) ?? null,
      from,
      to: recipients,
      subject,
      receivedAt: this.clock.now(),
      size: raw.length,
      raw,
    });
  }

  private async teamOf({ fromAddress, mailFrom }: SandboxMessage): Promise<string | undefined> {
    const host = parseEmailAddress(mailFrom)?.domain;
    if (fromAddress === undefined || host === undefined || this.isNotice(fromAddress)) return undefined;
    // A return path's host is one label before the domain.
    const domain = host.slice(host.indexOf('.') + 1);
    const [author, sender] = await Promise.all([this.domains.teamOf(fromAddress.domain), this.domains.teamOf(domain)]);
    return author === sender ? author : undefined;
  }

  /**
   * Notices have links that set passwords. They are sent through a team, whose members must not read them: only the
   * operator does.
   */
  private isNotice({ address }: EmailAddress): boolean {
    return address.toLowerCase() === this.notices.sender?.address.toLowerCase();
  }
}
