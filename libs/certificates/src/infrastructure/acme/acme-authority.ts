import { setTimeout as delay } from 'node:timers/promises';
import { Config } from '#platform/config';
import { Injectable } from '@nestjs/common';
import type { Authorization, Client, Order } from 'acme-client';
import { CertificateAuthority, OrderToComplete } from '../../application/ports/certificate-authority.port.js';
import { AuthorityProblem, AuthorityRefusal, explainProblem } from '../../domain/authority-refusal.js';
import { RenewalWindow } from '../../domain/host-certificate.js';
import { AcmeAccounts } from '../persistence/acme-accounts.js';
import { AuthorityHttp, problemIn, ReceivedProblem } from './authority-http.js';
import { certificateId, windowIn } from './renewal-info.js';

/** How long an order is waited for; a later try continues it. */
const maxWaitMs = 180_000;
const firstPauseMs = 250;
const maxPauseMs = 8_000;
const directoryKeptMs = 86_400_000;
/** RFC 5280 section 5.3.1. */
const keyCompromise = 1;

type Acme = typeof import('acme-client');

/**
 * Certificates by ACME (RFC 8555) with HTTP-01, by `acme-client`. Its requests go through `OutboundHttp`, and nothing of it is loaded
 * before the first order. One order at a time: the library has one HTTP client for all.
 */
@Injectable()
export class AcmeAuthority extends CertificateAuthority {
  private readonly url: string;
  private connecting: Promise<{ acme: Acme; client: Client }> | undefined;
  private directory: { readonly renewalInfo: string | undefined; readonly until: number } | undefined;
  /** The problem of the last response: the errors of the library have its text alone. */
  private problem: ReceivedProblem | undefined;

  constructor(
    private readonly http: AuthorityHttp,
    private readonly accounts: AcmeAccounts,
    private readonly config: Config,
  ) {
    super();
    this.url = config.values.tlsAcmeDirectory;
  }

  isReachable(): Promise<boolean> {
    return this.http.read(this.url).then(
      (directory) => directory !== undefined,
      () => false,
    );
  }

  async renewalWindow(chain: string): Promise<RenewalWindow | undefined> {
    const url = await this.renewalUrl();
    const id = certificateId(chain);
    return url === undefined || id === undefined ? undefined : windowIn(await this.http.read(`${url}/${id}`));
  }

  revoke(host: string, chain: string): Promise<void> {
    return this.asking(host, async ({ client }) => {
      try {
        await client.revokeCertificate(chain, { reason: keyCompromise });
      } catch (error) {
        if (this.lastProblem()?.type.endsWith(':alreadyRevoked') !== true) throw error;
      }
    });
  }

  order(host: string, replaced?: string): Promise<string> {
    return this.asking(host, async ({ client }) => {
      const identifiers = [{ type: 'dns', value: host }];
      const knowsRenewals = replaced !== undefined && (await this.renewalUrl()) !== undefined;
      const replaces = knowsRenewals ? certificateId(replaced) : undefined;
      if (replaces === undefined) return (await client.createOrder({ identifiers })).url;
      try {
        return (await client.createOrder({ identifiers, replaces } as Parameters<Client['createOrder']>[0])).url;
      } catch (error) {
        // Another order has replaced it already (RFC 9773 section 5).
        if (this.lastProblem()?.status !== 409) throw error;
        return (await client.createOrder({ identifiers })).url;
      }
    });
  }

  complete(asked: OrderToComplete): Promise<string> {
    const { url, host, key, stopping } = asked;
    return this.asking(host, async ({ acme, client }) => {
      const until = performance.now() + maxWaitMs;
      const begun = new Set<string>();
      for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, maxPauseMs)) {
        const order = await this.read(client, url, host);
        if (order.status === 'valid') return client.getCertificate(order);
        if (order.status === 'invalid') throw await this.whyInvalid(client, order, host);
        if (order.status === 'pending') await this.prove(client, order, asked, begun);
        if (order.status === 'ready') {
          const [, csr] = await acme.crypto.createCsr({ altNames: [host] }, key);
          await client.finalizeOrder(order, csr);
        }
        if (performance.now() > until) {
          throw new AuthorityRefusal('The certificate authority has not decided in time.', 0, false);
        }
        await delay(pauseMs, undefined, { signal: stopping });
      }
    });
  }

  private async prove(
    client: Client,
    order: Order,
    { present, host }: OrderToComplete,
    begun: Set<string>,
  ): Promise<void> {
    for (const authorization of await client.getAuthorizations(order)) {
      if (authorization.status === 'invalid') throw refusalOf(authorization, host);
      if (authorization.status !== 'pending') continue;
      const challenge = authorization.challenges.find(({ type }) => type === 'http-01');
      if (challenge === undefined) {
        throw new AuthorityRefusal('The certificate authority does not offer the challenge HTTP-01.', 0, true);
      }
      if (challenge.status !== 'pending' || begun.has(challenge.url)) continue;
      begun.add(challenge.url);
      await present(challenge.token, await client.getChallengeKeyAuthorization(challenge));
      await client.completeChallenge(challenge);
    }
  }

  /** An order that the authority does not know any more is over. */
  private async read(client: Client, url: string, host: string): Promise<Order> {
    try {
      return await client.getOrder({ url } as Order);
    } catch (error) {
      const problem = this.lastProblem();
      if (problem === undefined || ![400, 403, 404, 410].includes(problem.status)) throw error;
      if (problem.type.endsWith(':accountDoesNotExist')) throw error;
      throw new AuthorityRefusal(explainProblem(host, problem), problem.retryAfterMs, true);
    }
  }

  private async whyInvalid(client: Client, order: Order, host: string): Promise<AuthorityRefusal> {
    const authorizations = await client.getAuthorizations(order).catch(() => []);
    const failed = authorizations.find(({ status }) => status === 'invalid');
    return failed === undefined
      ? new AuthorityRefusal(
          explainProblem(host, (order as { error?: AuthorityProblem }).error ?? { type: '', detail: '' }),
          0,
          true,
        )
      : refusalOf(failed, host);
  }

  /** Turns what the authority refuses, and its absence, into an `AuthorityRefusal`. */
  private async asking<Result>(
    host: string,
    ask: (connected: { acme: Acme; client: Client }) => Promise<Result>,
  ): Promise<Result> {
    this.problem = undefined;
    try {
      return await ask(await (this.connecting ??= this.connect()));
    } catch (error) {
      if (error instanceof AuthorityRefusal) throw error;
      // The next try connects again.
      this.connecting = undefined;
      const problem = this.lastProblem();
      if (problem?.type.endsWith(':accountDoesNotExist') === true) await this.accounts.keepUrl(this.url, null);
      if (problem !== undefined) throw new AuthorityRefusal(explainProblem(host, problem), problem.retryAfterMs, false);
      if ((error as Error).name !== 'OutboundHttpError') throw error;
      const { message, cause } = error as Error;
      throw new AuthorityRefusal(`The certificate authority cannot be asked: ${message}.`, 0, false, { cause });
    }
  }

  /** Read by a method, because the compiler does not see that requests change it. */
  private lastProblem(): ReceivedProblem | undefined {
    return this.problem;
  }

  private async connect(): Promise<{ acme: Acme; client: Client }> {
    const { default: acme } = (await import('acme-client')) as unknown as { default: Acme };
    acme.axios.defaults.adapter = async (request) => {
      const method = (request.method ?? 'get').toUpperCase() as 'GET' | 'HEAD' | 'POST';
      const headers = request.headers.toJSON() as Record<string, string>;
      const response = await this.http.send({
        url: request.url as string,
        method,
        headers,
        body: request.data as string,
      });
      this.problem = problemIn(response);
      const { status, body } = response;
      return {
        status,
        statusText: '',
        headers: response.headers as never,
        data: body.toString('utf8'),
        config: request,
      };
    };
    const account = await this.accounts.at(this.url);
    const client = new acme.Client({
      directoryUrl: this.url,
      accountKey: account.key,
      accountUrl: account.url ?? undefined,
    });
    if (account.url === null) {
      const { address } = this.config.values.tlsAcmeEmail as { address: string };
      await client.createAccount({ termsOfServiceAgreed: true, contact: [`mailto:${address}`] });
      await this.accounts.keepUrl(this.url, client.getAccountUrl());
    }
    return { acme, client };
  }

  private async renewalUrl(): Promise<string | undefined> {
    if (this.directory === undefined || this.directory.until < performance.now()) {
      const { renewalInfo } = ((await this.http.read(this.url)) ?? {}) as { renewalInfo?: unknown };
      const known = typeof renewalInfo === 'string' ? renewalInfo.replace(/\/$/, '') : undefined;
      this.directory = { renewalInfo: known, until: performance.now() + directoryKeptMs };
    }
    return this.directory.renewalInfo;
  }
}

function refusalOf({ challenges }: Authorization, host: string): AuthorityRefusal {
  const { error } = challenges.find((challenge) => challenge.error !== undefined) ?? {};
  const { type = '', detail = '' }: { type?: string; detail?: string } = error ?? {};
  return new AuthorityRefusal(explainProblem(host, { type, detail }), 0, true);
}
