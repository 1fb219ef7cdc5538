import type { SMTPServerSession } from 'smtp-server';
import { InboundRecipient, Visitor } from '../../application/ports/inbound-mail.port.js';
import { clientNetwork } from '#kernel';

/** Messages are for recipients of one kind: feedback reports, other mail for the service itself, and mail for teams. */
type RecipientKind = 'report' | 'service' | 'team';

/** One message for which a server without a login has sent MAIL. */
export class VisitorTransaction {
  /** Undefined before the first recipient. */
  private kind: RecipientKind | undefined;
  private readonly inbound = new Map<string, InboundRecipient>();

  /**
   * False where the recipient is of another kind than the ones before; undefined is the recipient of a report. The client sends it
   * again in a transaction of its own (RFC 5321 section 4.5.3.1.10).
   */
  mayAdd(recipient: InboundRecipient | undefined): boolean {
    return this.kind === undefined || this.kind === kindOf(recipient);
  }

  addReport(): void {
    this.kind = 'report';
  }

  add(recipient: InboundRecipient): void {
    this.kind = kindOf(recipient);
    this.inbound.set(recipient.address.toLowerCase(), recipient);
  }

  /** Undefined where the message is a report. */
  get recipients(): readonly InboundRecipient[] | undefined {
    return this.inbound.size > 0 ? [...this.inbound.values()] : undefined;
  }
}

function kindOf(recipient: InboundRecipient | undefined): RecipientKind {
  if (recipient === undefined) return 'report';
  return recipient.isOfService === true ? 'service' : 'team';
}

export function visitorOf({ remoteAddress, hostNameAppearsAs, tlsOptions }: SMTPServerSession): Visitor {
  const { version } = (tlsOptions as { version?: string } | false) || {};
  return {
    address: remoteAddress.replace(/^::ffff:(?=\d+\.)/i, ''),
    network: clientNetwork(remoteAddress),
    helo: typeof hostNameAppearsAs === 'string' ? hostNameAppearsAs : '',
    tls: version ?? null,
  };
}
