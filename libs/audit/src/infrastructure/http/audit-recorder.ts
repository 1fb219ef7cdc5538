import { AuditSettings, Audited, ChangeRecorder, Principal } from '#identity';
import { Attached, DomainError } from '#kernel';
import { errorOf } from '#http/server';
import { ExecutionContext, Injectable, OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost, Reflector } from '@nestjs/core';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AuditTrail, OpenChange } from '../../application/audit-trail.js';
import { Readers } from './readers.js';

const reading = new Set(['GET', 'HEAD']);

interface RecordedRequest {
  readonly change: OpenChange;
  readonly context: ExecutionContext;
  readonly before: unknown;
  answer?: unknown;
}

/**
 * Records every request that changes something for a team. It covers each handler behind `PrincipalGuard` by itself, so
 * that a new one cannot be forgotten; `@Audited({ notBecause })` leaves one out and says why.
 *
 * The entry is finished before the response is sent, in hooks of Fastify. It is no interceptor of Nest, because Nest
 * then wraps every handler of the program in Observables: a tenth of the CPU of a request that is not recorded.
 */
@Injectable()
export class AuditRecorder implements ChangeRecorder, OnModuleInit {
  private readonly recorded = new Attached<FastifyRequest, RecordedRequest>();

  constructor(
    private readonly trail: AuditTrail,
    private readonly readers: Readers,
    private readonly reflector: Reflector,
    private readonly adapters: HttpAdapterHost,
  ) {}

  onModuleInit(): void {
    const fastify = this.adapters.httpAdapter.getInstance<FastifyInstance>();
    // The answer as the handler made it. It is not called for an empty answer, a text or a stream.
    fastify.addHook('preSerialization', (request, _reply, payload, done) => {
      const entry = this.recorded.get(request);
      if (entry !== undefined) entry.answer = payload;
      done(null, payload);
    });
    fastify.addHook('onSend', (request, _reply, payload, done) => {
      const entry = this.recorded.get(request);
      if (entry === undefined) return done(null, payload);
      this.recorded.delete(request);
      this.end(request, entry).then(
        () => done(null, payload),
        (error: Error) => done(error),
      );
    });
  }

  begin(context: ExecutionContext, principal: Principal): Promise<void> | undefined {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    if (reading.has(request.method)) return undefined;
    const settings = this.reflector.get<AuditSettings | undefined>(Audited, context.getHandler());
    return settings?.notBecause === undefined ? this.record(context, request, principal, settings?.action) : undefined;
  }

  private async record(
    context: ExecutionContext,
    request: FastifyRequest,
    principal: Principal,
    action: string | undefined,
  ): Promise<void> {
    const path = pathOf(request);
    const before = path.includes(':') ? await this.readers.read(path, context) : undefined;
    const change = await this.trail.begin({
      teamId: principal.teamId,
      action: action ?? actionOf(request.method, path, this.readers.has(path)),
      actor: principal.actor,
      tool: principal.tool,
      address: request.ip,
      targetId: targetOf(request, before),
    });
    this.recorded.set(request, { change, context, before });
  }

  private async end(request: FastifyRequest, { change, context, before, answer }: RecordedRequest): Promise<void> {
    const error = errorOf(request);
    if (error !== undefined) return error instanceof DomainError ? change.refused() : change.failed();
    const path = pathOf(request);
    const isDeletion = request.method === 'DELETE';
    const isRead = path.includes(':') && !isDeletion && before !== undefined;
    const after = isRead ? await this.readers.read(path, context) : isDeletion ? undefined : made(request.body, answer);
    await change.done({ targetId: targetOf(request, answer), before, after });
  }
}

function pathOf(request: FastifyRequest): string {
  return request.routeOptions.url ?? '/';
}

/** Without a reader: the request and the answer together. */
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

const verbs: Readonly<Record<string, string>> = { POST: 'create', PATCH: 'update', PUT: 'update', DELETE: 'delete' };

/**
 * `POST /domains/:id/verify` is `domains.verify`, `PATCH /domains/:id` is `domains.update`. A path that can also be
 * read is a collection: `POST /team/invitations` is `team.invitations.create`.
 */
export function actionOf(method: string, path: string, isCollection: boolean): string {
  const parts = path.split('/').filter((part) => part !== '');
  const names = parts.filter((part) => !part.startsWith(':'));
  const endsWithVerb = method === 'POST' && !isCollection && names.length > 1 && !(parts.at(-1) ?? ':').startsWith(':');
  return (endsWithVerb ? names : [...names, verbs[method] ?? method.toLowerCase()]).join('.');
}
