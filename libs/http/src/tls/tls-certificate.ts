import { hostname } from 'node:os';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { Config } from '#platform/config';
import { Logger } from '#observability/logging';
import { Timers } from '#platform/timers';
import { Certificate, fingerprintOf, readCertificate } from './certificate.js';
import { keepCertificate, selfSigned } from './self-signed.js';

/**
 * Files are polled and not watched: tools that renew certificates replace links and directories, which a watch would
 * lose.
 */
const lookEveryMs = 1_000;

/**
 * The TLS certificate of this program. It is read from files, and new connections use a renewed certificate within two
 * seconds. Without files it is self-signed, created once and stored.
 */
@Injectable()
export class TlsCertificate {
  private current: Certificate | undefined;
  private readonly listeners: ((certificate: Certificate) => void)[] = [];
  private complained = false;

  constructor(
    private readonly config: Config,
    private readonly logger: Logger,
    private readonly timers: Timers,
  ) {}

  /** Throws if the configured files cannot be used. */
  async load(): Promise<Certificate> {
    if (this.current !== undefined) return this.current;
    const { tlsCertFile, tlsKeyFile } = this.config.values;
    if (tlsCertFile === undefined || tlsKeyFile === undefined) {
      const own = await this.own();
      return (this.current ??= own);
    }
    this.current = await readCertificate(tlsCertFile, tlsKeyFile);
    this.timers.every(lookEveryMs, 'looking at the TLS certificate', () => this.look(tlsCertFile, tlsKeyFile));
    return this.current;
  }

  /** Replaces a self-signed certificate. One from configured files stays in use. */
  use(certificate: Certificate): void {
    if (this.config.values.tlsCertFile !== undefined) return;
    this.current = certificate;
    for (const listener of this.listeners) listener(certificate);
  }

  onChange(listener: (certificate: Certificate) => void): void {
    this.listeners.push(listener);
  }

  private async own(): Promise<Certificate> {
    const directory = join(this.config.values.dataDir, 'tls');
    try {
      return await readCertificate(join(directory, 'cert.pem'), join(directory, 'key.pem'));
    } catch {
      const certificate = await selfSigned(this.config.values.heloName ?? hostname());
      await keepCertificate(certificate, directory);
      return certificate;
    }
  }

  private async look(certFile: string, keyFile: string): Promise<void> {
    try {
      const certificate = await readCertificate(certFile, keyFile);
      this.complained = false;
      if (this.current !== undefined && fingerprintOf(certificate) === fingerprintOf(this.current)) return;
      this.current = certificate;
      for (const listener of this.listeners) listener(certificate);
      this.logger.info({ certFile }, 'the TLS certificate was replaced');
    } catch (error) {
      if (!this.complained)
        this.logger.warn({ error, certFile }, 'the new TLS certificate cannot be used; the old one stays in use');
      this.complained = true;
    }
  }
}
