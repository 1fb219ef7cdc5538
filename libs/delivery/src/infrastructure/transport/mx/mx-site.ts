import type { DeliveryOutcome } from '../../../domain/delivery-outcome.js';
import type { OutboundMessage } from '../../../domain/outbound-message.js';
import { SmtpConnectionPool } from '../smtp/smtp-connection-pool.js';
import { SmtpFailure } from '../smtp/smtp-failure.js';
import type { SmtpHostOptions } from '../smtp/smtp-options.js';
import { openSmtpSession } from '../smtp/smtp-session.js';
import type { SmtpSession } from '../smtp/smtp-session.js';
import { connectQuickly } from './connect-quickly.js';
import { inOrderOfPreference } from './mail-hosts.js';
import type { MailHost } from './mail-hosts.js';
import { SiteLimit } from './site-limit.js';
import type { SiteSlots } from './site-slots.js';
import type { SiteProfile } from './site-profiles.js';

/** What is the same for every host of every site. */
export type MxHostOptions = Omit<SmtpHostOptions, 'host' | 'hostName' | 'credentials' | 'implicitTls'>;

/** Handshakes that may fail before the site counts as down: each can take the whole of its timeouts. */
const mostHandshakes = 4;

/** The hosts that share the mail of one or more domains: one pool of connections, whichever host each leads to. */
export class MxSite {
  readonly #pool: SmtpConnectionPool;
  readonly #limit: SiteLimit;
  #hosts: readonly MailHost[] = [];

  constructor(
    private readonly name: string,
    profile: SiteProfile,
    private readonly slots: SiteSlots,
    private readonly options: MxHostOptions & { readonly backOff?: number },
  ) {
    this.#limit = new SiteLimit(profile.connections);
    this.#pool = new SmtpConnectionPool({
      ...options,
      host: name,
      connections: profile.connections,
      messagesPerConnection: profile.messagesPerConnection,
      open: () => this.#openInSlot(),
      onConnectFailed: (failure) => this.#connectFailed(failure),
    });
  }

  get isEmpty(): boolean {
    return this.#pool.isEmpty;
  }

  get connectionLimit(): number {
    return this.#limit.current;
  }

  /** `hosts` as the DNS names them now. */
  async deliver(message: OutboundMessage, hosts: readonly MailHost[]): Promise<readonly DeliveryOutcome[]> {
    this.#hosts = hosts;
    const outcomes = await this.#pool.deliver(message);
    for (const outcome of outcomes) this.#learnFrom(outcome);
    return outcomes;
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  /** The slot is held for as long as the connection: what the other workers have counts as well. */
  async #openInSlot(): Promise<SmtpSession> {
    const slot = await this.slots.take(this.name, () => this.#limit.current);
    if (slot === undefined) throw new SmtpFailure('policy', 'connect', `${this.name}: all its connections are in use`);
    try {
      const session = await this.#open();
      session.channel.whenClosed(slot);
      return session;
    } catch (error) {
      slot();
      throw error;
    }
  }

  /** Walks over the hosts until one of them greets us. A refused greeting is that host's, and the next is asked. */
  async #open(): Promise<SmtpSession> {
    const failures: SmtpFailure[] = [];
    for (const host of inOrderOfPreference(this.#hosts)) {
      let candidates = host.addresses.map((address) => ({ ...this.options, host: address, hostName: host.name }));
      while (candidates.length > 0 && failures.length < mostHandshakes) {
        try {
          const { channel, options } = await connectQuickly(candidates);
          candidates = candidates.filter((candidate) => candidate !== options);
          return await openSmtpSession(options, channel);
        } catch (error) {
          if (!(error instanceof SmtpFailure)) throw error;
          failures.push(error);
          if (error.phase === 'connect') break;
        }
      }
    }
    throw failures.find(({ isFinal }) => !isFinal) ?? failures[0] ?? new Error('the site has no hosts');
  }

  #connectFailed(failure: SmtpFailure): void {
    if (isTooMuch(failure.reply?.code, failure.reply?.enhancedCode)) this.#narrow();
  }

  #learnFrom({ kind, detail }: DeliveryOutcome): void {
    if (kind === 'delivered') this.#limit.succeeded();
    else if (isTooMuch(detail.replyCode, detail.enhancedCode)) return this.#narrow();
    if (this.#pool.connectionLimit !== this.#limit.current) this.#pool.limitConnections(this.#limit.current);
  }

  #narrow(): void {
    this.#limit.narrow(this.#pool.openConnections);
    this.#pool.limitConnections(this.#limit.current);
  }
}

/** 421, and 4.7.x: the site wants less, not another message (RFC 3463 section 3.8). */
function isTooMuch(code: number | undefined, enhancedCode: string | undefined): boolean {
  return code === 421 || enhancedCode?.startsWith('4.7.') === true;
}
