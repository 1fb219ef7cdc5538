import { SendingDisabledError, SendingDomains } from '#domains';
import { DomainError } from '#kernel';
import { Injectable } from '@nestjs/common';
import { AddressPattern } from '../domain/address-pattern.js';

/** A route would forward mail of a domain that only receives. */
export class CannotForwardError extends DomainError {
  constructor(domain: string) {
    super(
      'invalid',
      'validation_error',
      `The ${domain} domain only receives mail, and forwarded mail is sent from it. Enable its \`sending\` capability and publish its records first.`,
    );
  }
}

/**
 * Forwarded mail leaves with the return path, and with a seal, of the domain that received it, so that domain must
 * send.
 */
@Injectable()
export class ForwardingDomains {
  constructor(private readonly sending: SendingDomains) {}

  /**
   * Throws CannotForwardError if no mail for the pattern could ever be forwarded. A domain that is not verified yet, or not
   * known yet, may be so later.
   */
  async check(teamId: string, { domain }: AddressPattern): Promise<void> {
    if (domain.kind === 'below') return;
    if ((await this.refusal(teamId, domain.name)) instanceof SendingDisabledError) {
      throw new CannotForwardError(domain.name);
    }
  }

  /** Why mail for this domain is not forwarded now; null if it is. */
  async problemOf(teamId: string, name: string): Promise<string | null> {
    const refusal = await this.refusal(teamId, name);
    if (refusal === undefined) return null;
    if (refusal instanceof SendingDisabledError) return new CannotForwardError(name).message;
    return `Forwarded mail is sent from the domain, and waits for up to five days: ${refusal.message}`;
  }

  private async refusal(teamId: string, name: string): Promise<DomainError | undefined> {
    try {
      await this.sending.require(teamId, name);
      return undefined;
    } catch (error) {
      if (error instanceof DomainError) return error;
      throw error;
    }
  }
}
