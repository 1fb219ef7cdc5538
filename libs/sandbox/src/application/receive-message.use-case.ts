import { DomainOwners } from '#domains';
import { Clock, newId } from '#kernel';
import { Injectable } from '@nestjs/common';
import { Inbox } from './ports/inbox.port.js';

/** A message as it came, with what its header says. */
export interface IncomingMessage {
  readonly recipients: readonly string[];
  readonly from: string;
  /** Domain of the first From address, in lower-case A-labels; undefined where it has none. */
  readonly fromDomain: string | undefined;
  readonly subject: string;
  readonly raw: Uint8Array;
}

/**
 * Keeps a message for the team that it belongs to: the one that has the domain in its From field.
 *
 * Accepted mail is always sent from a domain of the accepting team, so From tells the team without a look at the email
 * itself, and a message that was altered or never signed still shows up where someone looks for it.
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
