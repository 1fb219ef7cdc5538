import { createHash, timingSafeEqual } from 'node:crypto';
import type { AuditActor } from '#audit';
import { Attached, Clock, DomainError } from '#kernel';
import { Config } from '#platform/config';
import { CanActivate, createParamDecorator, ExecutionContext, Injectable } from '@nestjs/common';
import { FastifyRequest } from 'fastify';
import { InvalidApiKeyError } from '#identity';
import { StepUpRequiredError } from '../../domain/accounts-errors.js';
import { isRecent } from '../../domain/user.js';
import { RequestUsers } from './request-users.js';

export class OperatorOnlyError extends DomainError {
  constructor() {
    super('forbidden', 'operator_only', 'Only an operator of this installation may do this.');
  }
}

/** Who operates the installation in this request. */
export interface Operator {
  readonly actor: AuditActor;
  readonly address: string;
}

const operators = new Attached<FastifyRequest, Operator>();
const bearer = /^Bearer +(op_\w{32,128}) *$/;

/**
 * Accepts the operator: a signed-in user who is one, or the key in OPERATOR_API_KEY. Changes by a user need a recent
 * sign-in.
 */
@Injectable()
export class OperatorGuard implements CanActivate {
  constructor(
    private readonly users: RequestUsers,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    operators.set(request, { actor: await this.actorOf(request), address: request.ip });
    return true;
  }

  private async actorOf(request: FastifyRequest): Promise<AuditActor> {
    const { authorization } = request.headers;
    if (authorization !== undefined) {
      if (!this.isOperatorKey(bearer.exec(authorization)?.[1])) throw new InvalidApiKeyError();
      return { kind: 'operator_key' };
    }
    const user = await this.users.identify(request);
    if (!user.isOperator) throw new OperatorOnlyError();
    if (request.method !== 'GET' && !isRecent(user, this.clock.now())) throw new StepUpRequiredError();
    return { kind: 'user', id: user.id };
  }

  private isOperatorKey(given: string | undefined): boolean {
    const { operatorApiKey } = this.config.values;
    if (operatorApiKey === undefined || given === undefined) return false;
    return timingSafeEqual(hash(given), hash(operatorApiKey));
  }
}

function hash(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** The operator that `OperatorGuard` has accepted. */
export const CurrentOperator = createParamDecorator((_: unknown, context: ExecutionContext): Operator => {
  const operator = operators.get(context.switchToHttp().getRequest<FastifyRequest>());
  if (operator === undefined) throw new Error('CurrentOperator is used on a route without OperatorGuard');
  return operator;
});
