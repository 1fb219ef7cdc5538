import { Clock } from '#kernel';
import { CanActivate, createParamDecorator, ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { FastifyRequest } from 'fastify';
import { StepUpRequiredError } from '../../domain/accounts-errors.js';
import { isRecent, SessionUser } from '../../domain/user.js';
import { RequestUsers, userOf } from './request-users.js';

/** Marks a handler that only a user who has signed in or confirmed a short while ago may call. */
export const RequiresRecentSignIn = Reflector.createDecorator<true>();

/** Accepts a request of a signed-in user, whatever team they are in. */
@Injectable()
export class UserGuard implements CanActivate {
  constructor(
    private readonly users: RequestUsers,
    private readonly reflector: Reflector,
    private readonly clock: Clock,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const user = await this.users.identify(context.switchToHttp().getRequest<FastifyRequest>());
    const isDangerous = this.reflector.get<true | undefined>(RequiresRecentSignIn, context.getHandler()) === true;
    if (isDangerous && !isRecent(user, this.clock.now())) throw new StepUpRequiredError();
    return true;
  }
}

/** The user that `UserGuard` has accepted. */
export const CurrentUser = createParamDecorator((_: unknown, context: ExecutionContext): SessionUser => {
  const user = userOf(context.switchToHttp().getRequest<FastifyRequest>());
  if (user === undefined) throw new Error('CurrentUser is used on a route without UserGuard');
  return user;
});
