import { Attached, isPromise, whenKnown } from '#kernel';
import type { MaybePromise } from '#kernel';
import { Admission, setOwner } from '#http/server';
import { Inject, Injectable, Optional } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AuthenticateApiKey } from '../../application/authenticate-api-key.use-case.js';
import { InvalidApiKeyError, UnknownApiKeyError } from '../../domain/identity-errors.js';
import { Principal } from '../../domain/principal.js';
import { bearerToken } from './bearer-token.js';
import { PrincipalSources } from './principal-sources.js';

const principals = new Attached<FastifyRequest, Principal>();
const reading = new WeakSet<FastifyRequest>();

/** Authenticates each request once: before its body is read if the body is large, otherwise in the guard. */
@Injectable()
export class RequestPrincipals {
  constructor(
    private readonly apiKeys: AuthenticateApiKey,
    private readonly sources: PrincipalSources,
    @Optional() @Inject(Admission) private readonly admission: Admission | undefined,
  ) {}

  /** Throws if the request has no valid credential, or if its team has exceeded the rate limit. */
  identify(request: FastifyRequest, reply: FastifyReply): MaybePromise<Principal> {
    const known = principals.get(request);
    if (known !== undefined) return known;
    return whenKnown(this.authenticate(request), (principal) =>
      whenKnown(this.admit(principal, reply), () => principal),
    );
  }

  /** Without the rate limit, for a request that is carried out by others: these are counted. */
  authenticate(request: FastifyRequest): MaybePromise<Principal> {
    const known = principals.get(request);
    if (known !== undefined) return known;
    return whenKnown(this.sources.identify(request) ?? this.ofApiKey(request), (principal) => {
      principals.set(request, principal);
      setOwner(request, principal.teamId);
      return principal;
    });
  }

  /** Throws if the team has exceeded the rate limit. */
  admit({ teamId }: Principal, reply: FastifyReply): MaybePromise<void> {
    return this.admission?.admit(teamId, reply);
  }

  /** Clients know an unknown API key by the status 401 where mail is sent, and agents at `/mcp`; elsewhere by 400. */
  private ofApiKey(request: FastifyRequest): MaybePromise<Principal> {
    const token = bearerToken(request.headers.authorization);
    const refuse = (error: unknown): never => {
      const isUnknownKey = error instanceof InvalidApiKeyError && token.startsWith('re_');
      if (isUnknownKey && !isSending(request) && !isOfAgent(request)) throw new UnknownApiKeyError();
      throw error;
    };
    try {
      const principal = this.apiKeys.authenticate(token, request.ip);
      return isPromise(principal) ? principal.catch(refuse) : principal;
    } catch (error) {
      return refuse(error);
    }
  }
}

function isSending({ method, url }: FastifyRequest): boolean {
  return method === 'POST' && /^\/emails?(?:\/sending)?(?:\/batch|\/dry-run)?(?:\?|$)/.test(url);
}

function isOfAgent({ url }: FastifyRequest): boolean {
  return /^\/mcp(?:[/?]|$)/.test(url);
}

/** The principal of a request if it is known, even if the request was refused afterwards. */
export function principalOf(request: FastifyRequest): Principal | undefined {
  return principals.get(request);
}

/** Whether a page of the dashboard asks: a user who is signed in, and no tool. */
export function isOfPage(request: FastifyRequest): boolean {
  return principals.get(request)?.actor.kind === 'user' && request.headers.authorization === undefined;
}

export function markAsReading(request: FastifyRequest): void {
  reading.add(request);
}

/** Whether the request of a page changes nothing. */
export function isReading(request: FastifyRequest): boolean {
  return request.method === 'GET' || request.method === 'HEAD' || reading.has(request);
}
