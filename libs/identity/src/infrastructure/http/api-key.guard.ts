import { CanActivate, createParamDecorator, ExecutionContext, Injectable, SetMetadata } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { FastifyReply, FastifyRequest } from 'fastify';
import { Caller } from '../../domain/caller.js';
import { RestrictedApiKeyError } from '../../domain/identity-errors.js';
import { callerOf, RequestCallers } from './request-callers.js';

const sendingAllowed = 'postrider:sending-allowed';

/** Marks a handler that a sending-only key may use as well. Without it a handler wants full access. */
export const AllowSendingKeys = (): MethodDecorator => SetMetadata(sendingAllowed, true);

/** Lets through requests with a known API key that may do what they ask. */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  constructor(
    private readonly callers: RequestCallers,
    private readonly reflector: Reflector,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const caller = await this.callers.identify(http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>());
    if (caller.permission === 'full_access') return true;
    if (this.reflector.get<boolean | undefined>(sendingAllowed, context.getHandler()) === true) return true;
    throw new RestrictedApiKeyError();
  }
}

/** The caller that the guard has let through. */
export const CurrentCaller = createParamDecorator((_: unknown, context: ExecutionContext): Caller => {
  const caller = callerOf(context.switchToHttp().getRequest<FastifyRequest>());
  if (caller === undefined) throw new Error('CurrentCaller is used on a route without ApiKeyGuard');
  return caller;
});
