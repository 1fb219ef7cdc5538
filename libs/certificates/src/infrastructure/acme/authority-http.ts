import { readFile } from 'node:fs/promises';
import { OutboundHttp } from '#http/outbound';
import type { OutboundResponse } from '#http/outbound';
import { Config } from '#platform/config';
import { Injectable, OnApplicationShutdown } from '@nestjs/common';
import { AuthorityProblem } from '../../domain/authority-refusal.js';

const timeoutMs = 30_000;
/** The largest are chains of certificates. */
const maxBytes = 256 * 1024;
const maxAskedMs = 30 * 86_400_000;

/** A problem as it arrived. */
export interface ReceivedProblem extends AuthorityProblem {
  readonly status: number;
  readonly retryAfterMs: number;
}

export interface AuthorityRequest {
  readonly url: string;
  readonly method: 'GET' | 'HEAD' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/**
 * Requests to the certificate authority. It may have a private address only if the operator names the certificates that it is
 * trusted by.
 */
@Injectable()
export class AuthorityHttp implements OnApplicationShutdown {
  private http: Promise<OutboundHttp> | undefined;

  constructor(
    private readonly config: Config,
    private readonly outbound: OutboundHttp,
  ) {}

  async send({ url, method, headers, body }: AuthorityRequest): Promise<OutboundResponse> {
    const http = await (this.http ??= this.client());
    return http.send({ url, method, headers, body, owner: 'acme', timeoutMs, maxBytes, maxRedirects: 0 });
  }

  /** Undefined if the response is no JSON or no success. */
  async read(url: string): Promise<unknown> {
    const { status, body } = await this.send({ url, method: 'GET' });
    return status === 200 ? jsonIn(body) : undefined;
  }

  onApplicationShutdown(): void {
    void this.http?.then((http) => http === this.outbound || http.close());
  }

  private async client(): Promise<OutboundHttp> {
    const { tlsAcmeCaFile } = this.config.values;
    if (tlsAcmeCaFile === undefined) return this.outbound;
    return new OutboundHttp({ ca: await readFile(tlsAcmeCaFile, 'utf8'), allows: () => true });
  }
}

/** The problem in a response; undefined for a success. */
export function problemIn({ status, headers, body }: OutboundResponse): ReceivedProblem | undefined {
  if (status < 400) return undefined;
  const { type = '', detail = '' } = (jsonIn(body) ?? {}) as { type?: unknown; detail?: unknown };
  return { status, type: String(type), detail: String(detail), retryAfterMs: askedMs(String(headers['retry-after'])) };
}

/** `Retry-After`: seconds or a date (RFC 9110 section 10.2.3). */
function askedMs(value: string): number {
  const ms = /^\d{1,9}$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - Date.now();
  return ms > 0 ? Math.min(ms, maxAskedMs) : 0;
}

function jsonIn(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8')) as unknown;
  } catch {
    return undefined;
  }
}
