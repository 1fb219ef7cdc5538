import { Attached } from '#kernel';
import { isUnlogged } from '#http/server';
import { isOfPage, isReading, principalOf } from '#identity';
import { Injectable, OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { LogRequest } from '../../application/log-request.use-case.js';

/** Longer responses are not logged: parsing a list of a hundred emails only to cut it would cost more than it is worth. */
const maxResponseLength = 16_000;

/** Logs every request whose team is known, after its response was sent. */
@Injectable()
export class RequestLogging implements OnModuleInit {
  private readonly responses = new Attached<FastifyRequest, string>();

  constructor(
    private readonly adapters: HttpAdapterHost,
    private readonly logRequest: LogRequest,
  ) {}

  onModuleInit(): void {
    const fastify = this.adapters.httpAdapter.getInstance<FastifyInstance>();
    fastify.addHook('onSend', (request, _, payload, done) => {
      if (typeof payload === 'string' && payload.length <= maxResponseLength) this.responses.set(request, payload);
      done(null, payload);
    });
    fastify.addHook('onResponse', (request, reply, done) => {
      done();
      void this.log(request, reply);
    });
  }

  private async log(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    if (isUnlogged(request)) return;
    const principal = principalOf(request) ?? (await this.principalOfUnguarded(request, reply));
    if (principal === undefined) return;
    const fromPage = isOfPage(request);
    // A page of the dashboard reads all the time. The log is for what programs ask, and for what people change.
    if (fromPage && isReading(request)) return;
    this.logRequest.log(principal, {
      method: request.method,
      endpoint: request.url.split('?', 1)[0] as string,
      userAgent: request.headers['user-agent'],
      fromPage,
      status: reply.statusCode,
      requestBody: request.body,
      responseBody: parsed(this.responses.get(request), reply),
    });
  }

  /** The principal of a request that reached no guard, because its route does not exist or its body could not be read. */
  private async principalOfUnguarded(
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<ReturnType<typeof principalOf>> {
    if (reply.statusCode < 400 || reply.statusCode === 401) return undefined;
    const token = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1];
    return token === undefined ? undefined : this.logRequest.principalOf(token);
  }
}

function parsed(response: string | undefined, reply: FastifyReply): unknown {
  if (response === undefined || !String(reply.getHeader('content-type')).includes('json')) return undefined;
  try {
    return JSON.parse(response);
  } catch {
    return undefined;
  }
}
