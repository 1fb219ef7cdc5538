import { AuditTrail } from '#audit';
import { Clock, DomainError, isDatabaseTrouble, parseEmailAddress, ValidationError } from '#kernel';
import { notReady, responseOf, retryAfter } from '#http/server';
import { Logger } from '#observability/logging';
import { BeforeApplicationShutdown, Injectable, OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { OwnOrigin, SignIn, SignInRequest } from '../../application/ports/sign-in.port.js';
import { StepUpRequiredError } from '../../domain/accounts-errors.js';
import { isRecent } from '../../domain/user.js';
import { PasswordPolicy } from '../../application/ports/sign-in-providers.port.js';
import { AuthLimits } from './auth-limits.js';
import { checkedBody, checkQuery, pageOf } from './auth-input.js';
import { userIn, withoutTokens } from './auth-response.js';
import { AuthRoute, authRoutes } from './auth-routes.js';
import { RequestUsers } from './request-users.js';
import { SameOrigin } from './same-origin.js';

/** No request to these endpoints is larger; a passkey has 2 KB. */
const maxBodyBytes = 16 * 1024;

/**
 * Serves the sign-in library under `/auth`, in a scope of Fastify with its own body parser, behind the checks of this
 * door.
 */
@Injectable()
export class AuthScope implements OnModuleInit, BeforeApplicationShutdown {
  private readonly working = new Set<Promise<unknown>>();

  // oxlint-disable-next-line max-params -- one for each check of this door
  constructor(
    private readonly adapter: HttpAdapterHost,
    private readonly signIn: SignIn,
    private readonly sameOrigin: SameOrigin,
    private readonly users: RequestUsers,
    private readonly limits: AuthLimits,
    private readonly origin: OwnOrigin,
    private readonly passwords: PasswordPolicy,
    private readonly clock: Clock,
    private readonly trail: AuditTrail,
    private readonly logger: Logger,
  ) {}

  /** What was answered already is finished. */
  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.working);
  }

  onModuleInit(): void {
    const fastify = this.adapter.httpAdapter.getInstance<FastifyInstance>();
    // Not awaited: that would start Fastify before Nest has set its error handler.
    void fastify.register(async (scope) => this.mount(scope), { prefix: '/auth' });
  }

  private mount(scope: FastifyInstance): void {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      'application/json',
      { parseAs: 'string', bodyLimit: maxBodyBytes },
      (_request, body, done) => done(null, body),
    );
    scope.setErrorHandler((error: unknown, request, reply) => this.refuse(error, request, reply));
    for (const route of authRoutes) {
      scope.route({
        method: route.method,
        url: route.path,
        handler: (request, reply) => this.handle(route, request, reply),
      });
    }
  }

  private async handle(route: AuthRoute, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    checkPath(request.raw.url ?? '/', this.origin.value);
    if (route.isLink !== true) this.sameOrigin.check(request);
    if (route.isDangerous === true) {
      const user = await this.users.identify(request);
      if (!isRecent(user, this.clock.now())) throw new StepUpRequiredError();
    }
    const user = route.action === undefined ? undefined : await this.users.visitor(request);
    const isOwnPage = (address: string): boolean => this.ownPage(address, request) !== undefined;
    checkQuery(request.query, isOwnPage);
    const body = checkedBody(route, request.body, isOwnPage);
    const attempt = await this.limits.begin(route, request, body);
    const headers = new Headers();
    for (const [name, value] of Object.entries(request.headers)) {
      if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value);
    }
    const work: SignInRequest = {
      method: request.method,
      url: request.raw.url ?? '/',
      headers,
      body,
      address: request.ip,
      origin: request.headers.origin ?? this.origin.value,
    };
    if (route.answersFirst === true) return this.answerFirst(route, work, reply);
    const response = await this.signIn.handle(work);
    for (const cookie of await attempt.end(response)) void reply.header('set-cookie', cookie);
    const text = await response.text();
    if (route.action !== undefined && response.ok) {
      await this.record(route.action, request, user?.id ?? userIn(text));
    }
    await this.send(response, text, request, reply);
  }

  /** The body has passed all checks that do not depend on an account. A person to whom no mail comes asks again. */
  private async answerFirst({ path }: AuthRoute, work: SignInRequest, reply: FastifyReply): Promise<void> {
    const { email } = JSON.parse(work.body ?? '{}') as { email?: unknown };
    if (typeof email !== 'string' || parseEmailAddress(email) === undefined) {
      throw new ValidationError('The `email` field must be an email address.');
    }
    if (path === '/request-password-reset') this.passwords.check(email);
    const done: Promise<unknown> = this.signIn
      .handle(work)
      .catch((error: unknown) => this.logger.error({ error }, 'mail about an account could not be sent'))
      .finally(() => this.working.delete(done));
    this.working.add(done);
    await reply.status(200).header('cache-control', 'no-store').send({ status: true });
  }

  private async record(action: string, request: FastifyRequest, id: string | undefined): Promise<void> {
    const actor = id === undefined ? ({ kind: 'service' } as const) : ({ kind: 'user', id } as const);
    await this.trail.record({ teamId: null, action, actor, address: request.ip, targetId: id ?? null });
  }

  /** The page at an address, if it is one of this service. */
  private ownPage(address: string, { host }: FastifyRequest): URL | undefined {
    const page = pageOf(address, this.origin.value);
    return page !== undefined && this.origin.isOwn(page.origin, host) ? page : undefined;
  }

  private async send(response: Response, text: string, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const wait = response.headers.get('retry-after');
    const seconds = wait === null ? retryAfter(response.status) : { 'retry-after': wait };
    void reply.status(response.status).headers({ 'cache-control': 'no-store', ...seconds });
    const location = response.headers.get('location');
    // The library sends the browser to our own pages only. Whatever it was told, it never leads elsewhere from here.
    const page = location === null ? undefined : this.ownPage(location, request);
    if (location !== null) void reply.header('location', page === undefined ? '/app/sign-in' : pathOf(page));
    const cookies = response.headers.getSetCookie();
    if (cookies.length > 0) void reply.header('set-cookie', cookies);
    const body = withoutTokens(text, response.status);
    if (body === undefined) return void (await reply.send());
    await reply.header('content-type', 'application/json; charset=utf-8').send(body);
  }

  private refuse(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
    const refusal = refusalFrom(error);
    if (refusal === undefined) this.logger.error({ error, route: request.routeOptions.url }, 'signing in failed');
    const body =
      refusal === undefined
        ? {
            statusCode: 500,
            message: 'An unexpected error occurred. Please try again later.',
            name: 'application_error',
          }
        : responseOf(refusal);
    void reply
      .status(body.statusCode)
      .headers({ 'cache-control': 'no-store', ...retryAfter(body.statusCode, refusal) });
    void reply.send(body);
  }
}

function refusalFrom(error: unknown): DomainError | undefined {
  if (error instanceof DomainError) return error;
  if (isDatabaseTrouble(error)) return notReady();
  switch ((error as { statusCode?: unknown }).statusCode) {
    case 413:
      return new DomainError('too_large', 'validation_error', 'The request body is too large.');
    case 415:
      return new DomainError('invalid', 'validation_error', 'The request body must be JSON.');
    default:
      return undefined;
  }
}

/**
 * The library reads the URL anew: a backslash is a slash to it, and dots lead upwards, to endpoints that are not
 * reachable here or whose checks are those of another route.
 */
function checkPath(url: string, origin: string): void {
  const [path] = url.split('?', 1);
  if (URL.canParse(url, origin) && new URL(url, origin).pathname === path) return;
  throw new DomainError('not_found', 'not_found', 'The requested endpoint does not exist.');
}

function pathOf({ pathname, search, hash }: URL): string {
  return `${pathname}${search}${hash}`;
}
