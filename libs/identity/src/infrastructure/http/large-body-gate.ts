import { maxUnchargedBytes, setPayer } from '#http/server';
import { Injectable, OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { PrincipalSources } from './principal-sources.js';
import { RequestPrincipals } from './request-principals.js';

/**
 * Authenticates a request, and applies the rate limit, before a body above `maxUnchargedBytes` is read. Guards run only
 * after the body has been parsed, so without this check anyone could fill the memory with requests that are refused in
 * the end.
 */
@Injectable()
export class LargeBodyGate implements OnModuleInit {
  constructor(
    private readonly principals: RequestPrincipals,
    private readonly sources: PrincipalSources,
    private readonly adapter: HttpAdapterHost,
  ) {}

  onModuleInit(): void {
    const fastify = this.adapter.httpAdapter.getInstance<FastifyInstance>();
    fastify.addHook('preParsing', (request: FastifyRequest, reply: FastifyReply, _payload, done): void => {
      if (!mayBeLarge(request)) return done();
      this.pass(request, reply).then(() => done(), done);
    });
  }

  private async pass(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const payer = await this.sources.payerOf(request);
    if (payer === undefined) await this.principals.identify(request, reply);
    else setPayer(request, payer);
  }
}

function mayBeLarge({ headers }: FastifyRequest): boolean {
  if (headers['transfer-encoding'] !== undefined) return true;
  return Number(headers['content-length'] ?? 0) > maxUnchargedBytes;
}
