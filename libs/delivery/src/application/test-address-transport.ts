import { domainOf } from '#kernel';
import { testAddressRole, TestAddressRole } from '#emails';
import { DeliveryTransport } from './ports/delivery-transport.port.js';
import { AttemptDetail, DeliveryOutcome, OutboundMessage } from '../domain/attempt.js';
import { LaneLimits } from '../domain/lane-limits.js';
import { siteOfLane, testSite } from '../domain/lane-name.js';

const concurrency = 10;

/**
 * Delivers mail to test addresses itself and passes all other mail to the next transport. Mail to a test domain has a
 * lane of its own and never leaves the machine, whatever its local part.
 */
export class TestAddressTransport extends DeliveryTransport {
  override readonly sharesTransactions: boolean;

  constructor(
    private readonly next: DeliveryTransport,
    private readonly domains: readonly string[],
  ) {
    super();
    this.sharesTransactions = next.sharesTransactions;
  }

  concurrencyOf(lane: string): number {
    return siteOfLane(lane) === testSite ? concurrency : this.next.concurrencyOf(lane);
  }

  override limitsOf(lane: string): LaneLimits | undefined {
    return siteOfLane(lane) === testSite ? undefined : this.next.limitsOf(lane);
  }

  deliver(message: OutboundMessage): Promise<readonly DeliveryOutcome[]> {
    const roles = message.recipients.map((recipient) => testAddressRole(recipient, this.domains));
    return roles.every((role) => role === undefined) ? this.next.deliver(message) : this.deliverMixed(message, roles);
  }

  private async deliverMixed(
    message: OutboundMessage,
    roles: readonly (TestAddressRole | undefined)[],
  ): Promise<readonly DeliveryOutcome[]> {
    const others = message.recipients.filter((_, index) => roles[index] === undefined);
    const outcomes = others.length === 0 ? [] : await this.next.deliver({ ...message, recipients: others });
    const rest = outcomes[Symbol.iterator]();
    return message.recipients.map((recipient, index) => {
      const role = roles[index];
      return role === undefined ? (rest.next().value as DeliveryOutcome) : outcomeOf(role, recipient);
    });
  }

  override withdraw(): void {
    this.next.withdraw();
  }

  close(): Promise<void> {
    return this.next.close();
  }
}

function outcomeOf(role: TestAddressRole, recipient: string): DeliveryOutcome {
  const host = domainOf(recipient);
  switch (role) {
    case 'delivered':
      return { kind: 'delivered', detail: accepted(host) };
    case 'complained':
      return { kind: 'delivered', complained: true, detail: accepted(host) };
    case 'bounced':
      return refused(host, 'The recipient of this test address does not exist');
    // `suppressed@` is never handed over. If it arrives here, the suppression was not applied.
    case 'suppressed':
    case 'unknown':
      return refused(host, 'There is no such test address');
  }
}

function accepted(host: string): AttemptDetail {
  return { host, replyCode: 250, enhancedCode: '2.0.0', replyText: 'Test address', durationMs: 0 };
}

function refused(host: string, replyText: string): DeliveryOutcome {
  const detail: AttemptDetail = { host, replyCode: 550, enhancedCode: '5.1.1', replyText, durationMs: 0 };
  return { kind: 'bounced', category: 'bad-address', reason: `550 5.1.1 ${replyText}`, detail };
}
