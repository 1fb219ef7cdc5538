import { AuditSettings, Audited, principalOf } from '#identity';
import { DomainError } from '#kernel';
import { CallHandler, ExecutionContext, Injectable, NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { from, mergeMap, Observable, of, throwError, catchError } from 'rxjs';
import { AuditTrail, OpenChange } from '../../application/audit-trail.js';
import { actionOf } from './action-of.js';
import { Readers } from './readers.js';

const reading = new Set(['GET', 'HEAD']);

/**
 * Records every request that changes something for a team. It covers each handler behind `PrincipalGuard` by itself, so that a
 * new one cannot be forgotten; `@Audited({ notBecause })` leaves one out and says why.
 */
@Injectable()
export class AuditInterceptor implements NestInterceptor {
  constructor(
    private readonly trail: AuditTrail,
    private readonly readers: Readers,
    private readonly reflector: Reflector,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    if (context.getType() !== 'http' || reading.has(request.method)) return next.handle();
    const settings = this.reflector.get<AuditSettings | undefined>(Audited, context.getHandler());
    const principal = principalOf(request);
    if (principal === undefined || settings?.notBecause !== undefined) return next.handle();
    return from(this.recorded(context, request, settings?.action, next));
  }

  private async recorded(
    context: ExecutionContext,
    request: FastifyRequest,
    action: string | undefined,
    next: CallHandler,
  ): Promise<unknown> {
    const path = request.routeOptions.url ?? '/';
    const principal = principalOf(request);
    if (principal === undefined) throw new Error('A change has no principal');
    const hasTarget = path.includes(':');
    const before = hasTarget ? await this.readers.read(path, context) : undefined;
    const change = await this.trail.begin({
      teamId: principal.teamId,
      action: action ?? actionOf(request.method, path, this.readers.has(path)),
      actor: principal.actor,
      address: request.ip,
      targetId: targetOf(request, before),
    });
    return this.finished(next, change, async (answer) => {
      const isDeletion = request.method === 'DELETE';
      const isRead = hasTarget && !isDeletion && before !== undefined;
      const after = isRead
        ? await this.readers.read(path, context)
        : isDeletion
          ? undefined
          : made(request.body, answer);
      await change.done({ targetId: targetOf(request, answer), before, after });
    });
  }

  private finished(next: CallHandler, change: OpenChange, done: (answer: unknown) => Promise<void>): Promise<unknown> {
    return new Promise((resolve, reject) => {
      next
        .handle()
        .pipe(
          mergeMap((answer: unknown) => from(done(answer)).pipe(mergeMap(() => of(answer)))),
          catchError((error: unknown) =>
            from(error instanceof DomainError ? change.refused() : change.failed()).pipe(
              mergeMap(() => throwError(() => error)),
            ),
          ),
        )
        .subscribe({ next: resolve, error: reject, complete: () => resolve(undefined) });
    });
  }
}

/** Without a reader: what was asked for, and what came of it. */
function made(body: unknown, answer: unknown): unknown {
  return { ...(isRecord(body) ? body : {}), ...(isRecord(answer) ? answer : {}) };
}

function targetOf({ params }: FastifyRequest, answer: unknown): string | null {
  const named = isRecord(params) ? Object.values(params)[0] : undefined;
  const id = isRecord(answer) ? (answer.id ?? named) : named;
  return typeof id === 'string' ? id.slice(0, 400) : null;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
