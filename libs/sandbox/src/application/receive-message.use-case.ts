import { DomainOwners } from '#domains';
import { Clock, newId } from '#kernel';
import { Injectable } from '@nestjs/common';
import { Inbox } from './ports/inbox.port.js';

/** A message as received, with the fields read from its header. */
export interface IncomingMessage {
  readonly recipients: readonly string[];
  readonly from: string;
  /** Domain of the first From address, in lower-case A-labels; undefined if there is none. */
  readonly fromDomain: string | undefined;
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
    private readonly domains: DomainOwners,
    private readonly inbox: Inbox,
    private readonly clock: Clock,
  ) {}

  /** Resolves once the message is durable. */
  async execute({ recipients, from, fromDomain, subject, raw }: IncomingMessage): Promise<void> {
    const teamId = fromDomain === undefined ? undefined : await this.domains.teamOf(fromDomain);
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
}
