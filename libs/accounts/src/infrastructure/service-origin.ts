import type { AddressInfo } from 'node:net';
import { Config } from '#platform/config';
import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { OwnOrigin } from '../application/ports/sign-in.port.js';

@Injectable()
export class ServiceOrigin extends OwnOrigin {
  constructor(
    private readonly config: Config,
    private readonly adapter: HttpAdapterHost,
  ) {
    super();
  }

  private get isConfigured(): boolean {
    return this.config.values.publicUrl !== undefined;
  }

  /** `PUBLIC_URL`, or the address that HTTP listens on. Links in mail start with it. */
  get value(): string {
    const { publicUrl, httpHost, httpPort } = this.config.values;
    if (publicUrl !== undefined) return publicUrl;
    const address = (this.adapter.httpAdapter.getHttpServer() as { address(): AddressInfo | null }).address();
    const host = ['0.0.0.0', '::'].includes(httpHost) ? 'localhost' : httpHost;
    return `http://${host.includes(':') ? `[${host}]` : host}:${address?.port ?? httpPort}`;
  }

  /**
   * Whether a page of this origin is a page of this service. Without `PUBLIC_URL` the request's own `Host` counts: a page
   * of an attacker has a different origin.
   */
  isOwn(origin: string, host: string | undefined): boolean {
    if (origin === this.value) return true;
    return !this.isConfigured && host !== undefined && origin === `http://${host}`;
  }
}
