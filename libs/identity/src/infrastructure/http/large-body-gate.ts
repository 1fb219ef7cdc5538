import { maxUnchargedBytes } from '#http/server';
import { Injectable, OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
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
    private readonly adapter: HttpAdapterHost,
  ) {}

  onModuleInit(): void {
    const fastify = this.adapter.httpAdapter.getInstance<FastifyInstance>();
    fastify.addHook('preParsing', (request: FastifyRequest, reply: FastifyReply, _payload, done): void => {
      if (!mayBeLarge(request)) return done();
      this.principals.identify(request, reply).then(() => done(), done);
    });
  }
}

function mayBeLarge({ headers }: FastifyRequest): boolean {
  if (headers['transfer-encoding'] !== undefined) return true;
  return Number(headers['content-length'] ?? 0) > maxUnchargedBytes;
}
