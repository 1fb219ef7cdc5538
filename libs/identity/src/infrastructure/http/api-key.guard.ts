import { Admission, noteOwner } from '#platform/http';
import {
  CanActivate,
  createParamDecorator,
  ExecutionContext,
  Inject,
  Injectable,
  Optional,
  SetMetadata,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { FastifyReply, FastifyRequest } from 'fastify';
import { AuthenticateApiKey } from '../../application/authenticate-api-key.use-case.js';
import { Caller } from '../../domain/caller.js';
import { RestrictedApiKeyError } from '../../domain/identity-errors.js';
import { bearerToken } from './bearer-token.js';

const sendingAllowed = 'postrider:sending-allowed';
const callers = new WeakMap<FastifyRequest, Caller>();

/** Marks a handler that a sending-only key may use as well. Without it a handler wants full access. */
export const AllowSendingKeys = (): MethodDecorator => SetMetadata(sendingAllowed, true);

/** Lets through requests with a known API key that may do what they ask. */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  constructor(
    private readonly authenticate: AuthenticateApiKey,
    private readonly reflector: Reflector,
    @Optional() @Inject(Admission) private readonly admission: Admission | undefined,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const caller = await this.authenticate.execute(bearerToken(request.headers.authorization));
    callers.set(request, caller);
    noteOwner(request, caller.teamId);
    await this.admission?.admit(caller.teamId, http.getResponse<FastifyReply>());
    if (caller.permission === 'full_access') return true;
    if (this.reflector.get<boolean | undefined>(sendingAllowed, context.getHandler()) === true) return true;
    throw new RestrictedApiKeyError();
  }
}

/** Whose request this is, where the guard could tell, even where it then refused the request. */
export function callerOf(request: FastifyRequest): Caller | undefined {
  return callers.get(request);
}

/** The caller that the guard has let through. */
export const CurrentCaller = createParamDecorator((_: unknown, context: ExecutionContext): Caller => {
  const caller = callers.get(context.switchToHttp().getRequest<FastifyRequest>());
  if (caller === undefined) throw new Error('CurrentCaller is used on a route without ApiKeyGuard');
  return caller;
});
