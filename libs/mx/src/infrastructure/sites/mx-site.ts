import { classifyReply, NotAttemptedError } from '#delivery';
import type { DeliveryOutcome, Narrowing, OutboundMessage } from '#delivery';
import { changeCount } from '#kernel';
import {
  ConnectionBudget,
  openSmtpSession,
  RateLimit,
  SmtpChannel,
  SmtpConnectionPool,
  SmtpFailure,
} from '#smtp-client';
import type { CertificateCheck, SmtpHostOptions, SmtpSession } from '#smtp-client';
import { daneFailure } from './dane.js';
import type { DaneRequirement } from './dane.js';
import { inOrderOfPreference } from './mx-lookup.js';
import type { MailHost } from './mx-lookup.js';
import type { OutgoingConnections, SiteConnections } from './outgoing-connections.js';
import type { SiteSlots } from './site-sharing.js';
import { keyOf, localAddressFor } from './source-hosts.js';
import type { SourceHost } from './source-hosts.js';
import type { SiteProfile } from './site-profiles.js';

/** The options that are the same for every host of every site. */
export type MxHostOptions = Omit<
  SmtpHostOptions,
  'host' | 'hostName' | 'credentials' | 'implicitTls' | 'localAddress' | 'tls' | 'certificate'
>;

/**
 * The TLS that messages over these connections require, unless the host's TLSA records decide: none, TLS (`encrypted`),
 * or TLS with a certificate for the host's name (`sts`).
 */
export type SitePolicy = 'opportunistic' | 'encrypted' | 'sts';

interface MxSiteOptions extends MxHostOptions {
  readonly policy: SitePolicy;
  readonly source?: SourceHost;
  readonly backOff?: number;
}

/** Maximum number of failed handshakes before the site counts as down: each can take its whole timeout. */
const maxHandshakes = 4;

/** The hosts that receive the mail of one or more domains, with one pool of connections to any of them. */
export class MxSite {
  readonly #pool: SmtpConnectionPool;
  #hosts: readonly MailHost[] = [];
  /** Number of messages per team: a connection is requested in the turns of all these teams. */
  readonly #messagesOf = new Map<string, number>();
  readonly #connections: SiteConnections;

  constructor(
    readonly name: string,
    readonly throttle: SiteThrottle,
    private readonly slots: SiteSlots | undefined,
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
      open: (signal) => this.#openInSlot(signal),
      isCrowded: () => connections.isCrowded,
      onConnectFailed: (failure) => throttle.connectFailed(failure),
    });
  }

  /** The key of the limits that all workers share. */
  get key(): string {
    return `${this.name} ${this.sourceKey}`;
  }

  get sourceKey(): string {
    return keyOf(this.options.source);
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

  /** `hosts` are the hosts that the DNS names now. */
  async deliver(message: OutboundMessage, hosts: readonly MailHost[]): Promise<readonly DeliveryOutcome[]> {
    this.#hosts = hosts;
    const outcomes = await this.#handToPool(message);
    for (const outcome of outcomes) {
      // `onConnectFailed` has already handled a refused connection.
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
    changeCount(this.#messagesOf, teamId, 1);
    try {
      const outcomes = this.#pool.deliver(message);
      this.#connections.alsoFor(teamId);
      return await outcomes;
    } finally {
      changeCount(this.#messagesOf, teamId, -1);
    }
  }

  /** The slot is held as long as the connection, since the limit counts the connections of all workers. */
  async #openInSlot(unwanted: AbortSignal): Promise<SmtpSession> {
    const { throttle } = this;
    const slot = await this.slots?.take(
      this.key,
      () => throttle.connectionLimit,
      () => this.#pool.waiting > 0,
    );
    // If other workers hold all slots, the site is not at fault and no attempt was made.
    if (this.slots !== undefined && slot === undefined) throw new NotAttemptedError();
    const teamIds = [...this.#messagesOf.keys()];
    const connection = await this.#connections.open(teamIds, () => this.#pool.waiting > 0);
    const end = (): void => {
      connection?.close();
      slot?.();
    };
    try {
      if (connection === undefined) throw new NotAttemptedError();
      const session = await this.#open(AbortSignal.any([connection.signal, unwanted]));
      connection.greeted();
      session.channel.whenClosed(end);
      return session;
    } catch (error) {
      end();
      throw error;
    }
  }

  /**
   * Tries the hosts in order until one of them sends a greeting. A refused greeting concerns only that host, so the
   * next one is tried.
   */
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

/**
 * DANE takes precedence over MTA-STS (RFC 8461 section 2), and both over the requirement of the sender. TLSA records of
 * which none can be used verify nothing, so the check of MTA-STS remains.
 */
function tlsFor(policy: SitePolicy, dane: DaneRequirement | undefined): Pick<SmtpHostOptions, 'tls' | 'certificate'> {
  if (dane !== undefined && (dane.records.length > 0 || policy !== 'sts')) {
    return { tls: 'required', certificate: daneCheck(dane) };
  }
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

interface QuickConnection {
  readonly channel: SmtpChannel;
  readonly options: SmtpHostOptions;
}

/** How long an address is tried alone before the next one is tried as well (RFC 8305 section 5). */
const headStartMs = 250;

/**
 * Connects to the first of several addresses of one host that accepts, so that a broken IPv6 path costs a quarter of a
 * second instead of the connection timeout. Rejects with the last failure if none accepts.
 */
function connectQuickly(candidates: readonly SmtpHostOptions[]): Promise<QuickConnection> {
  return new Promise((resolve, reject) => {
    let next = 0;
    let pending = 0;
    let isDecided = false;
    let timer: NodeJS.Timeout | undefined;

    const connected = (channel: SmtpChannel, options: SmtpHostOptions): void => {
      pending--;
      if (isDecided) return void channel.fail('disconnected', 'another address accepted first');
      isDecided = true;
      clearTimeout(timer);
      resolve({ channel, options });
    };
    const failed = (error: Error): void => {
      pending--;
      if (isDecided) return;
      if (next < candidates.length) tryNext();
      else if (pending === 0) reject(error);
    };
    const tryNext = (): void => {
      clearTimeout(timer);
      const options = candidates[next++];
      if (options === undefined) return;
      pending++;
      SmtpChannel.connect(options).then((channel) => connected(channel, options), failed);
      if (next < candidates.length) timer = setTimeout(tryNext, headStartMs);
    };
    tryNext();
  });
}

/** Characters of a reply that are kept. */
const maxReply = 300;

/**
 * The limits of one site for one of our addresses: connections and messages per minute. All connections to the site
 * share them, whatever TLS they require. A refused connection narrows the connections; a refused message narrows the
 * rate as well.
 */
export class SiteThrottle {
  readonly budget: ConnectionBudget;
  readonly rate: RateLimit;
  readonly #connections: SiteLimit;
  #profile: SiteProfile;
  #narrowed: Narrowing | undefined;

  constructor(profile: SiteProfile, now: () => number = () => performance.now()) {
    this.#profile = profile;
    this.#connections = new SiteLimit(profile.connections, now);
    this.budget = new ConnectionBudget(profile.connections);
    this.rate = new RateLimit(profile.messagesPerMinute, now);
  }

  get profile(): SiteProfile {
    return this.#profile;
  }

  get connectionLimit(): number {
    return this.#connections.current;
  }

  /** What narrowed the limits, while they are narrower than those of the profile. */
  get narrowed(): Narrowing | undefined {
    const isNarrow = this.connectionLimit < this.#profile.connections || this.rate.perMinute < this.rate.maxPerMinute;
    return isNarrow ? this.#narrowed : undefined;
  }

  /** To be set when the operator changes the profile. */
  set profile(profile: SiteProfile) {
    if (profile === this.#profile) return;
    this.#profile = profile;
    this.#connections.setMax(profile.connections);
    this.rate.setMax(profile.messagesPerMinute);
    this.budget.setLimit(this.#connections.current);
  }

  connectFailed({ reply }: SmtpFailure): void {
    if (reply === undefined || !isTooMuch(reply.code, reply.enhancedCode, reply.text)) return;
    this.#note(reply.code, reply.text);
    this.#narrowConnections();
  }

  learnFrom({ kind, detail }: DeliveryOutcome, isOfConnection: boolean): void {
    if (kind === 'delivered') return this.#succeeded();
    if (isOfConnection || detail.replyCode === undefined) return;
    if (!isTooMuch(detail.replyCode, detail.enhancedCode, detail.replyText ?? '')) return;
    this.#note(detail.replyCode, detail.replyText ?? '');
    this.rate.narrow();
    this.#narrowConnections();
  }

  #succeeded(): void {
    this.rate.succeeded();
    this.#connections.succeeded();
    if (this.budget.limit !== this.#connections.current) this.budget.setLimit(this.#connections.current);
  }

  #note(code: number, text: string): void {
    this.#narrowed = { at: new Date().toISOString(), reply: `${code} ${text}`.slice(0, maxReply).toWellFormed() };
  }

  #narrowConnections(): void {
    this.#connections.narrow(this.budget.openConnections);
    this.budget.setLimit(this.#connections.current);
  }
}

/**
 * Whether the site asks for less load: 421 or 4.7.x (RFC 3463 section 3.8). Greylisting often uses 4.7.1 too, but it
 * concerns one recipient, who gets no mail sooner if all other mail slows down. The same holds for a sender's address
 * that is not accepted: the mail of others is.
 */
function isTooMuch(code: number, enhancedCode: string | undefined, text: string): boolean {
  if (code !== 421 && enhancedCode?.startsWith('4.7.') !== true) return false;
  const { category } = classifyReply(code, enhancedCode, text);
  return category !== 'greylisting' && category !== 'bad-sender';
}

/**
 * Number of connections allowed to a site. It is halved, or reduced to the number of connections that were open, when
 * the site refuses because of load. It is raised by one after a number of successful messages.
 */
class SiteLimit {
  #limit: number;
  #successes = 0;
  #narrowedAt = -Infinity;

  constructor(
    private max: number,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.#limit = max;
  }

  get current(): number {
    return this.#limit;
  }

  /** Sets a new maximum and keeps a limit that is narrower. */
  setMax(max: number): void {
    this.#limit = this.#limit === this.max ? max : Math.min(max, this.#limit);
    this.max = max;
  }

  /**
   * To be called when the site refused a connection or a message because of load, with the number of connections open
   * then.
   */
  narrow(openConnections: number): void {
    this.#successes = 0;
    // Messages that were under way when the limit fell may still be refused. These refusals count as the same one.
    if (this.now() - this.#narrowedAt < settleMs) return;
    this.#narrowedAt = this.now();
    this.#limit = Math.max(1, Math.min(Math.floor(this.#limit / 2), openConnections));
  }

  succeeded(): void {
    if (this.#limit === this.max || ++this.#successes < this.#limit * messagesPerStep) return;
    this.#successes = 0;
    this.#limit++;
  }
}

const settleMs = 1_000;
/** Number of successful messages per connection before another connection is allowed. */
const messagesPerStep = 50;
