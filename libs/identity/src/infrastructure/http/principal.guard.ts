import { CanActivate, createParamDecorator, ExecutionContext, Inject, Injectable, Optional } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { RequestTurns } from '#http/server';
import { whenKnown } from '#kernel';
import type { MaybePromise } from '#kernel';
import type { RequestSender } from '#http/server';
import { FastifyReply, FastifyRequest } from 'fastify';
import { Permission } from '../../domain/permission.js';
import { Principal } from '../../domain/principal.js';
import { Audited, changesNothing } from './audited.js';
import { ChangeRecorder } from './change-recorder.js';
import { isOfPage, markAsReading, principalOf, RequestPrincipals } from './request-principals.js';

/** Names the permission that a handler needs. Every handler of a controller with `PrincipalGuard` must have it. */
export const Requires = Reflector.createDecorator<Permission>();

/**
 * Names the permissions that a resource made by the handler uses after the request. A tool must have them too: a
 * webhook, for example, keeps sending data of emails.
 */
export const PassesOn = Reflector.createDecorator<readonly Permission[]>();

/**
 * Marks a handler whose writes share transactions with those of other requests. It needs no connection of its own, so
 * many requests of one API key may be under way, as long as their bodies are small.
 */
export const WritesInGroups = Reflector.createDecorator<true>();
/** A statement of 256 such bodies is 2 MB long. */
const maxGroupedBytes = 8_192;

/**
 * Accepts a request whose principal has the permission that the handler `Requires`, and begins to record what it
 * changes.
 */
@Injectable()
export class PrincipalGuard implements CanActivate {
  constructor(
    private readonly principals: RequestPrincipals,
    private readonly reflector: Reflector,
    private readonly turns: RequestTurns,
    @Optional() @Inject(ChangeRecorder) private readonly changes: ChangeRecorder | undefined,
  ) {}

  canActivate(context: ExecutionContext): MaybePromise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    return whenKnown(this.principals.identify(request, reply), (principal) => {
      const turn = this.enter(context, principal, request, reply);
      return whenKnown(turn, () => whenKnown(this.changes?.begin(context, principal), () => true));
    });
  }

  private enter(
    context: ExecutionContext,
    principal: Principal,
    request: FastifyRequest,
    reply: FastifyReply,
  ): MaybePromise<void> {
    if (isOfPage(request) && this.reflector.get<unknown>(Audited, context.getHandler()) === changesNothing) {
      markAsReading(request);
    }
    const permission = this.reflector.get<Permission | undefined>(Requires, context.getHandler());
    if (permission === undefined) throw new Error(`${context.getHandler().name} has no @Requires(permission)`);
    principal.require(permission);
    if (principal.tool !== null) principal.requireToPassOn(this.reflector.get(PassesOn, context.getHandler()) ?? []);
    // Mail that is accepted has shares of its own, of memory and of connections, and so have files that are uploaded
    // for minutes.
    if (permission === 'emails:send' || isUpload(request)) return undefined;
    return this.takeTurn(context, senderOf(principal), request, reply);
  }

  private takeTurn(
    context: ExecutionContext,
    sender: RequestSender,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> | undefined {
    const isGrouped = this.reflector.get<true | undefined>(WritesInGroups, context.getHandler()) === true;
    if (isGrouped && Number(request.headers['content-length']) <= maxGroupedBytes) {
      this.turns.takeGrouped(sender, request, reply);
      return undefined;
    }
    return this.turns.take(sender, request, reply);
  }
}

/** Routes that take JSON refuse such a body before they work, and a GET has none. */
function isUpload({ method, headers }: FastifyRequest): boolean {
  return method === 'POST' && headers['content-type']?.startsWith('multipart/form-data') === true;
}

function senderOf({ teamId, actor }: Principal): RequestSender {
  return { teamId, principal: 'id' in actor ? `${actor.kind} ${actor.id} ${teamId}` : teamId };
}

/** The principal that `PrincipalGuard` has accepted. */
export const CurrentPrincipal = createParamDecorator((_: unknown, context: ExecutionContext): Principal => {
  const principal = principalOf(context.switchToHttp().getRequest<FastifyRequest>());
  if (principal === undefined) throw new Error('CurrentPrincipal is used on a route without PrincipalGuard');
  return principal;
});

/** The team of the principal that `PrincipalGuard` has accepted. */
export const TeamId = createParamDecorator((_: unknown, context: ExecutionContext): string => {
  const principal = principalOf(context.switchToHttp().getRequest<FastifyRequest>());
  if (principal === undefined) throw new Error('TeamId is used on a route without PrincipalGuard');
  return principal.teamId;
});
