import { NotAttemptedError } from '#delivery';
import type { DeliveryOutcome, OutboundMessage } from '#delivery';
import { SmtpConnectionPool, SmtpFailure, openSmtpSession } from '#smtp-client';
import type { CertificateCheck, SmtpHostOptions, SmtpSession } from '#smtp-client';
import { connectQuickly } from './connect-quickly.js';
import { daneFailure } from './dane.js';
import type { DaneRequirement } from './dane.js';
import { inOrderOfPreference } from './mail-hosts.js';
import type { MailHost } from './mail-hosts.js';
import type { OutgoingConnections, SiteConnections } from './outgoing-connections.js';
import type { SiteSlots } from './site-slots.js';
import type { SiteThrottle } from './site-throttle.js';
import { keyOf, localAddressFor } from './source-hosts.js';
import type { SourceHost } from './source-hosts.js';

/** What is the same for every host of every site. */
export type MxHostOptions = Omit<
  SmtpHostOptions,
  'host' | 'hostName' | 'credentials' | 'implicitTls' | 'localAddress' | 'tls' | 'certificate'
>;

/**
 * What messages over these connections insist on, where the TLS of a host's own TLSA records does not: nothing, TLS
 * (`encrypted`), or TLS with a certificate for the host's name (`sts`).
 */
export type SitePolicy = 'opportunistic' | 'encrypted' | 'sts';

export interface MxSiteOptions extends MxHostOptions {
  readonly policy: SitePolicy;
  readonly source?: SourceHost;
  readonly backOff?: number;
}

/** Handshakes that may fail before the site counts as down: each can take the whole of its timeouts. */
const maxHandshakes = 4;

/** The hosts that share the mail of one or more domains: one pool of connections, whichever host each leads to. */
export class MxSite {
  readonly #pool: SmtpConnectionPool;
  #hosts: readonly MailHost[] = [];
  /** How many messages each team has here: connections are waited for in the turns of all of them. */
  readonly #messagesOf = new Map<string, number>();
  readonly #connections: SiteConnections;

  constructor(
    readonly name: string,
    readonly throttle: SiteThrottle,
    private readonly slots: SiteSlots,
    connections: OutgoingConnections,
    private readonly options: MxSiteOptions,
  ) {
    this.#connections = connections.forSite();
    this.#pool = new SmtpConnectionPool({
      ...options,
      heloName: options.source?.heloName ?? options.heloName,
      host: name,
      budget: throttle.budget,
      rate: throttle.rate,
      get messagesPerConnection() {
        return throttle.profile.messagesPerConnection;
      },
      open: () => this.#openInSlot(),
      isCrowded: () => connections.isCrowded,
      onConnectFailed: (failure) => throttle.connectFailed(failure),
    });
  }

  /** What its limits go by, those of all workers. */
  get key(): string {
    return `${this.name} ${keyOf(this.options.source)}`;
  }

  get isEmpty(): boolean {
    return this.#pool.isEmpty;
  }

  get waiting(): number {
    return this.#pool.waiting;
  }

  get isHeldBy(): SmtpConnectionPool['isHeldBy'] {
    return this.#pool.isHeldBy;
  }

  /** `hosts` as the DNS names them now. */
  async deliver(message: OutboundMessage, hosts: readonly MailHost[]): Promise<readonly DeliveryOutcome[]> {
    this.#hosts = hosts;
    const outcomes = await this.#handToPool(message);
    for (const outcome of outcomes) {
      // A refused connection has been learnt from already.
      this.throttle.learnFrom(outcome, outcome.kind === 'deferred' && outcome.isSiteTrouble === true);
    }
    return outcomes;
  }

  withdraw(): void {
    this.#pool.withdraw();
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  async #handToPool(message: OutboundMessage): Promise<readonly DeliveryOutcome[]> {
    const { teamId } = message;
    this.#count(teamId, 1);
    try {
      const outcomes = this.#pool.deliver(message);
      this.#connections.alsoFor(teamId);
      return await outcomes;
    } finally {
      this.#count(teamId, -1);
    }
  }

  #count(teamId: string, change: number): void {
    const count = (this.#messagesOf.get(teamId) ?? 0) + change;
    if (count === 0) this.#messagesOf.delete(teamId);
    else this.#messagesOf.set(teamId, count);
  }

  /** The slot is held for as long as the connection: what the other workers have counts as well. */
  async #openInSlot(): Promise<SmtpSession> {
    const { throttle } = this;
    const slot = await this.slots.take(
      this.key,
      () => throttle.connectionLimit,
      () => this.#pool.waiting > 0,
    );
    // That others are busy there says nothing against the site, and is no attempt.
    if (slot === undefined) throw new NotAttemptedError();
    const teamIds = [...this.#messagesOf.keys()];
    const connection = await this.#connections.open(teamIds, () => this.#pool.waiting > 0);
    const end = (): void => {
      connection?.close();
      slot();
    };
    try {
      if (connection === undefined) throw new NotAttemptedError();
      const session = await this.#open(connection.signal);
      connection.greeted();
      session.channel.whenClosed(end);
      return session;
    } catch (error) {
      end();
      throw error;
    }
  }

  /** Walks over the hosts until one of them greets us. A refused greeting is that host's, and the next is asked. */
  async #open(signal: AbortSignal): Promise<SmtpSession> {
    const failures: SmtpFailure[] = [];
    for (const host of inOrderOfPreference(this.#hosts)) {
      let candidates = this.#candidates(host, signal);
      while (candidates.length > 0 && failures.length < maxHandshakes && !signal.aborted) {
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

  #candidates({ name, addresses, dane }: MailHost, signal: AbortSignal): SmtpHostOptions[] {
    const { source, policy, ...options } = this.options;
    const tls = tlsFor(policy, dane);
    return addresses.flatMap((address) => {
      const host = { ...options, ...tls, signal, host: address, hostName: name };
      if (source === undefined) return [host];
      const localAddress = localAddressFor(source, address);
      return localAddress === undefined ? [] : [{ ...host, localAddress, heloName: source.heloName }];
    });
  }
}

/** DANE before MTA-STS (RFC 8461 section 2), and either before what the sender asks for. */
function tlsFor(policy: SitePolicy, dane: DaneRequirement | undefined): Pick<SmtpHostOptions, 'tls' | 'certificate'> {
  if (dane !== undefined) return { tls: 'required', certificate: daneCheck(dane) };
  switch (policy) {
    case 'sts':
      return { tls: 'required', certificate: { level: 'mta-sts' } };
    case 'encrypted':
      return { tls: 'mandatory' };
    case 'opportunistic':
      return { tls: 'opportunistic' };
  }
}

function daneCheck(dane: DaneRequirement): CertificateCheck {
  return {
    level: dane.records.length === 0 ? 'opportunistic' : 'dane',
    serverName: dane.baseName,
    failureOf: (chain) => daneFailure(dane, chain, new Date()),
  };
}
