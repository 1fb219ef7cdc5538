import { maxUnchargedBytes } from '#platform/http';
import { Injectable, OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { RequestPrincipals } from './request-principals.js';

/**
 * Reads bodies above `maxUnchargedBytes` only for those who hold an API key and may ask: guards run after the body has been
 * parsed, and a stranger must not be able to fill the memory with requests that are refused in the end.
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
