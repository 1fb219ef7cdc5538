import { CanActivate, createParamDecorator, ExecutionContext, Inject, Injectable, Optional } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { FastifyReply, FastifyRequest } from 'fastify';
import { Permission } from '../../domain/permission.js';
import { Principal } from '../../domain/principal.js';
import { ChangeRecorder } from './change-recorder.js';
import { principalOf, RequestPrincipals } from './request-principals.js';

/** Names the permission that a handler needs. Every handler of a controller with `PrincipalGuard` must have it. */
export const Requires = Reflector.createDecorator<Permission>();

/** Accepts a request where its principal has the permission that the handler `Requires`, and begins to record what it changes. */
@Injectable()
export class PrincipalGuard implements CanActivate {
  constructor(
    private readonly principals: RequestPrincipals,
    private readonly reflector: Reflector,
    @Optional() @Inject(ChangeRecorder) private readonly changes: ChangeRecorder | undefined,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const principal = await this.principals.identify(
      http.getRequest<FastifyRequest>(),
      http.getResponse<FastifyReply>(),
    );
    const permission = this.reflector.get<Permission | undefined>(Requires, context.getHandler());
    if (permission === undefined) throw new Error(`${context.getHandler().name} has no @Requires(permission)`);
    principal.require(permission);
    const begun = this.changes?.begin(context, principal);
    if (begun !== undefined) await begun;
    return true;
  }
}

/** The principal that `PrincipalGuard` has accepted. */
export const CurrentPrincipal = createParamDecorator((_: unknown, context: ExecutionContext): Principal => {
  const principal = principalOf(context.switchToHttp().getRequest<FastifyRequest>());
  if (principal === undefined) throw new Error('CurrentPrincipal is used on a route without PrincipalGuard');
  return principal;
});
