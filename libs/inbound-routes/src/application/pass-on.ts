import { ReceivingDomains, returnPathHost, SendingDomains, sendingRegion } from '#domains';
import type { Domain } from '#domains';
import { ForwardMail } from '#emails';
import type { ReceivedEmail } from '#inbound';
import { changeCount, Clock, domainOf } from '#kernel';
import { Injectable } from '@nestjs/common';
import { chainOf, deliveredTo, joined, mayBounce, resultsIn, SenderRewriting } from '../domain/forwarding.js';
import {
  HandOver,
  HandOverOutcome,
  HandOverRequest,
  LoadedMessage,
  RoutedMessages,
} from './ports/routed-messages.port.js';

/*
 * The two ways in which a received message leaves: `ForwardReceived` makes an email of it for another address, and
 * `HandOvers` gives it to a host of the team.
 */

export interface Forwarding {
  readonly email: ReceivedEmail;
  readonly message: LoadedMessage;
  /** The recipient for which it was received. */
  readonly recipient: string;
  /** The address to which it goes. */
  readonly target: string;
}

/**
 * Passes a received message on. It gets header fields in front (our trace, Delivered-To and a seal), and is otherwise
 * the same, byte for byte, so that its own DKIM signatures stay valid. The envelope sender is at the return path of the
 * domain that received it, so that SPF passes.
 */
@Injectable()
export class ForwardReceived {
  constructor(
    private readonly receiving: ReceivingDomains,
    private readonly sending: SendingDomains,
    private readonly senders: SenderRewriting,
    private readonly messages: RoutedMessages,
    private readonly forwardMail: ForwardMail,
    private readonly clock: Clock,
  ) {}

  /** Resolves with the id of the email that waits for delivery. Throws a DomainError if the domain may not send. */
  async forward(forwarding: Forwarding): Promise<string> {
    const { email, recipient, target } = forwarding;
    const domain = await this.domainOf(email, recipient);
    const content = await this.contentOf(forwarding, domain);
    const { id } = await this.forwardMail.forward({
      teamId: email.teamId,
      domainId: domain.id,
      region: sendingRegion(domain),
      receivedId: email.id,
      recipients: [target],
      mailFrom: this.envelopeSender(forwarding, domain),
      from: email.from,
      to: email.to,
      subject: email.subject,
      messageId: email.messageId,
      key: `${forwarding.message.originalId} ${target.toLowerCase()}`,
      content,
    });
    return id;
  }

  private async domainOf({ teamId }: ReceivedEmail, recipient: string): Promise<Domain> {
    const name = (await this.receiving.find(domainOf(recipient).toLowerCase()))?.name;
    return this.sending.require(teamId, name ?? domainOf(recipient).toLowerCase());
  }

  /** The null sender stays: a bounce must not be answered with a bounce. Undefined: bounces come to us and are recorded. */
  private envelopeSender({ email, message }: Forwarding, domain: Domain): string | undefined {
    if (email.mailFrom === '') return '';
    if (!mayBounce(email, message.header)) return undefined;
    return this.senders.rewritten(email.mailFrom, returnPathHost(domain), this.clock.now());
  }

  private async contentOf(
    { email, message, recipient }: Forwarding,
    domain: Domain,
  ): Promise<AsyncIterable<Uint8Array>> {
    const added = joined([deliveredTo(recipient), message.trace]);
    const seal = await this.sealOf(email, joined([added, message.content]), domain);
    const pieces = [seal, added, message.content];
    return (async function* () {
      for (const piece of pieces) if (piece.length > 0) yield piece;
    })();
  }

  private async sealOf(
    { teamId, verdicts, trace }: ReceivedEmail,
    message: Uint8Array,
    domain: Domain,
  ): Promise<Uint8Array> {
    const [chain, results] = [chainOf(verdicts), resultsIn(trace)];
    const key = (await this.sending.signingKeys(domain.id)).find(({ algorithm }) => algorithm === 'rsa-sha256');
    if (chain === undefined || results === undefined || key === undefined) return new Uint8Array();
    return this.messages.seal({ message, key, results, chain, owner: teamId });
  }
}

/** Deliveries to hosts that are under way, of one team and of all. */
const maxOfTeam = 4;
const maxInAll = 64;
/** How long a run waits for a host. A slower delivery goes on. */
const waitMs = 2_000;

/** What is told of a delivery beside its state. */
interface HandOverListener {
  /** It is to begin. False if there is no memory for it. */
  begins(): boolean;
  /** A delivery that began has ended. */
  ended(): void;
  /**
   * It took longer than the run waited, and is not to be made again: to be written down, so that no run of any process
   * does.
   */
  settledLate(outcome: HandOverOutcome): Promise<void>;
}

type HandOverState = HandOverOutcome | { readonly kind: 'under_way' | 'busy' };

/** Hands messages to hosts of teams. A host that is slow holds up neither other teams nor other messages. */
@Injectable()
export class HandOvers {
  private readonly underWay = new Map<string, Promise<HandOverOutcome>>();
  private readonly finished = new Map<string, HandOverOutcome>();
  private readonly ofTeams = new Map<string, number>();

  constructor(private readonly handOver: HandOver) {}

  /** `key` identifies the delivery. */
  async deliver(
    { teamId }: ReceivedEmail,
    key: string,
    request: HandOverRequest,
    listener: HandOverListener,
  ): Promise<HandOverState> {
    const finished = this.finished.get(key);
    const known = this.underWay.get(key);
    const ofTeam = this.ofTeams.get(teamId) ?? 0;
    const isBusy = ofTeam >= maxOfTeam || this.underWay.size >= maxInAll;
    if (finished !== undefined || known !== undefined || isBusy || !listener.begins()) {
      this.finished.delete(key);
      return finished ?? (known === undefined ? { kind: 'busy' } : { kind: 'under_way' });
    }
    changeCount(this.ofTeams, teamId, 1);
    const delivery = this.handOver.deliver(request).finally(() => this.end(teamId, key, listener));
    this.underWay.set(key, delivery);
    return this.firstOf(key, delivery, listener);
  }

  private async firstOf(
    key: string,
    delivery: Promise<HandOverOutcome>,
    listener: HandOverListener,
  ): Promise<HandOverState> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<HandOverState>((resolve) => {
      timer = setTimeout(() => resolve({ kind: 'under_way' }), waitMs);
    });
    const state = await Promise.race([delivery, late]);
    clearTimeout(timer);
    if (state.kind === 'under_way') void this.keep(key, delivery, listener);
    return state;
  }

  /** Of deliveries that took long: what failed, and what could not be written down, until the next run asks. */
  private async keep(key: string, delivery: Promise<HandOverOutcome>, listener: HandOverListener): Promise<void> {
    const outcome = await delivery.catch((): HandOverOutcome => ({ kind: 'failed', detail: 'could not be made' }));
    const isWritten = outcome.kind !== 'failed' && (await succeeds(listener.settledLate(outcome)));
    if (isWritten) return;
    if (this.finished.size >= 1_000) this.finished.clear();
    this.finished.set(key, outcome);
  }

  private end(teamId: string, key: string, listener: HandOverListener): void {
    this.underWay.delete(key);
    changeCount(this.ofTeams, teamId, -1);
    listener.ended();
  }
}

function succeeds(work: Promise<void>): Promise<boolean> {
  return work.then(
    () => true,
    () => false,
  );
}
