import { createSecureContext, SecureContext } from 'node:tls';
import type { MaybePromise } from '#kernel';
import { Clock } from '#kernel';
import { HostCertificates, TlsCertificate } from '#http/tls';
import { Logger } from '#observability/logging';
import { Config } from '#platform/config';
import { SecretBox } from '#platform/secrets';
import { Database, ProcessNotifications } from '#postgres/database';
import { Injectable, OnModuleInit } from '@nestjs/common';
import { KeyAndChain, ownHosts } from '../domain/host-certificate.js';
import { certificatesChanged, openCertificate } from './persistence/sealed-certificates.js';

/** A context takes about 30 KB. */
const maxContexts = 500;
/** Client-initiated renegotiation costs a handshake each time. Node.js has no name for this OpenSSL option. */
const noRenegotiation = 1 << 30;

interface KnownCertificate {
  /** Changes with each renewal. */
  readonly version: number;
  readonly notAfter: number;
}

/**
 * The certificates as each process serves them: which hosts have one is known at once, keys and chains are read when a client asks for
 * the host.
 */
@Injectable()
export class IssuedCertificates extends HostCertificates implements OnModuleInit {
  private hosts = new Map<string, KnownCertificate>();
  /** The least recently used first. */
  private readonly contexts = new Map<string, { readonly version: number; readonly context: SecureContext }>();
  private readonly loading = new Map<string, Promise<SecureContext | undefined>>();
  private readonly defaultHost: string | undefined;
  private defaultVersion: number | undefined;
  private readonly isOn: boolean;
  private readonly isForTrial: boolean;

  // oxlint-disable-next-line max-params -- Reads rows, opens them, and gives them to the program.
  constructor(
    { values }: Config,
    private readonly database: Database,
    private readonly box: SecretBox,
    private readonly notifications: ProcessNotifications,
    private readonly certificate: TlsCertificate,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {
    super();
    this.isOn = values.tlsAcme === 'on';
    // Browsers do not trust it: links stay http.
    this.isForTrial = new URL(values.tlsAcmeDirectory).hostname === 'acme-staging-v02.api.letsencrypt.org';
    [this.defaultHost] = ownHosts(values);
  }

  async onModuleInit(): Promise<void> {
    if (!this.isOn) return;
    this.notifications.on(certificatesChanged, (host) => void this.follow(host));
    await this.read();
  }

  isTrusted(host: string): boolean {
    return !this.isForTrial && this.isValid(this.hosts.get(host));
  }

  findContext(host: string): MaybePromise<SecureContext | undefined> {
    const known = this.hosts.get(host);
    if (known === undefined || !this.isValid(known)) return undefined;
    const cached = this.contexts.get(host);
    if (cached?.version !== known.version) return this.loading.get(host) ?? this.load(host, known.version);
    this.remember(host, cached);
    return cached.context;
  }

  async findAnswer(token: string): Promise<string | undefined> {
    const [row] = await this.database.query<{ answer: string }>({
      name: 'answer-to-challenge',
      text: 'SELECT challenge_answer AS answer FROM certificates WHERE challenge_token = $1',
      values: [token],
    });
    return row?.answer;
  }

  private isValid(known: KnownCertificate | undefined): boolean {
    return known !== undefined && known.notAfter > this.clock.now().getTime();
  }

  /** An empty name: notifications may have been missed. */
  private async follow(host: string): Promise<void> {
    try {
      await this.read(host === '' ? undefined : host);
    } catch (error) {
      this.logger.warn({ error }, 'the certificates of hosts could not be read; the next change reads them again');
    }
  }

  private async read(host?: string): Promise<void> {
    const rows = await this.database.query<{ host: string; version: Date; notAfter: Date }>({
      name: 'issued-certificates',
      text: `SELECT host, issued_at AS version, not_after AS "notAfter" FROM certificates
             WHERE sealed_certificate IS NOT NULL AND ($1::text IS NULL OR host = $1)`,
      values: [host ?? null],
    });
    if (host === undefined) this.hosts = new Map();
    else this.hosts.delete(host);
    for (const row of rows) {
      this.hosts.set(row.host, { version: row.version.getTime(), notAfter: row.notAfter.getTime() });
    }
    await this.useAsDefault();
  }

  /** The certificate for clients that name no host, as most mail servers do. */
  private async useAsDefault(): Promise<void> {
    const known = this.defaultHost === undefined ? undefined : this.hosts.get(this.defaultHost);
    if (known === undefined || known.version === this.defaultVersion) return;
    const found = await this.open(this.defaultHost as string);
    if (found === undefined) return;
    this.defaultVersion = known.version;
    this.certificate.use({ cert: found.chain, key: found.key });
  }

  private load(host: string, version: number): Promise<SecureContext | undefined> {
    const loading = this.open(host)
      .then((found) => {
        if (found === undefined) return undefined;
        const { key, chain: cert } = found;
        const context = createSecureContext({ key, cert, minVersion: 'TLSv1.2', secureOptions: noRenegotiation });
        this.remember(host, { version, context });
        return context;
      })
      .finally(() => this.loading.delete(host));
    this.loading.set(host, loading);
    return loading;
  }

  private remember(host: string, entry: { readonly version: number; readonly context: SecureContext }): void {
    this.contexts.delete(host);
    this.contexts.set(host, entry);
    const [oldest] = this.contexts.keys();
    if (this.contexts.size > maxContexts && oldest !== undefined) this.contexts.delete(oldest);
  }

  private async open(host: string): Promise<KeyAndChain | undefined> {
    const [row] = await this.database.query<{ sealed: Buffer }>({
      name: 'sealed-certificate',
      text: 'SELECT sealed_certificate AS sealed FROM certificates WHERE host = $1 AND sealed_certificate IS NOT NULL',
      values: [host],
    });
    return row && openCertificate(this.box, host, row.sealed);
  }
}
