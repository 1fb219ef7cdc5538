import type { SMTPServerSession } from 'smtp-server';
import { InboundRecipient, Visitor } from '../../application/ports/inbound-mail.port.js';
import { clientNetwork } from '#kernel';

/** One message for which a server without a login has sent MAIL. */
export class VisitorTransaction {
  /** Whether its recipients are addresses of the service itself. Undefined before the first one. */
  private isReport: boolean | undefined;
  private readonly inbound = new Map<string, InboundRecipient>();

  /**
   * False where the recipient is of another kind than the ones before. The client sends it again in a transaction of its own
   * (RFC 5321 section 4.5.3.1.10).
   */
  mayAdd(isReport: boolean): boolean {
    return this.isReport === undefined || this.isReport === isReport;
  }

  addReport(): void {
    this.isReport = true;
  }

  add(recipient: InboundRecipient): void {
    this.isReport = false;
    this.inbound.set(recipient.address.toLowerCase(), recipient);
  }

  /** Undefined where the message is for the service itself. */
  get recipients(): readonly InboundRecipient[] | undefined {
    return this.isReport === false ? [...this.inbound.values()] : undefined;
  }
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
