import { OwnedDomains } from '#domains';
import { Clock, EmailAddress, newId, Notices } from '#kernel';
import { Injectable } from '@nestjs/common';
import { Inbox } from './ports/inbox.port.js';

/** A message as received, with the fields read from its header. */
export interface SandboxMessage {
  readonly recipients: readonly string[];
  readonly from: string;
  /** The first address in From, whose domain is in lower-case A-labels; undefined if there is none. */
  readonly fromAddress: EmailAddress | undefined;
  readonly subject: string;
  readonly raw: Uint8Array;
}

/**
 * Stores a message for the team that owns the domain in its From field.
 *
 * Accepted mail is always sent from a domain of the accepting team. So From identifies the team without reading the
 * email itself, and a message that was altered or never signed is still listed for its team.
 */
@Injectable()
export class ReceiveMessage {
  constructor(
    private readonly domains: OwnedDomains,
    private readonly inbox: Inbox,
    private readonly notices: Notices,
    private readonly clock: Clock,
  ) {}

  /** Resolves once the message is durable. */
  async receive({ recipients, from, fromAddress, subject, raw }: SandboxMessage): Promise<void> {
    const isOfTeam = fromAddress !== undefined && !this.isNotice(fromAddress);
    const teamId = isOfTeam ? await this.domains.teamOf(fromAddress.domain) : undefined;
    await this.inbox.add({
      id: newId(),
      teamId: teamId ?? null,
      from,
      to: recipients,
      subject,
      receivedAt: this.clock.now(),
      size: raw.length,
      raw,
    });
  }

  /**
   * Notices have links that set passwords. They are sent through a team, whose members must not read them: only the
   * operator does.
   */
  private isNotice({ address }: EmailAddress): boolean {
    return address.toLowerCase() === this.notices.sender?.address.toLowerCase();
  }
}
