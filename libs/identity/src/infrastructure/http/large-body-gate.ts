import { Injectable, OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AuthenticateApiKey } from '../../application/authenticate-api-key.use-case.js';
import { bearerToken } from './bearer-token.js';

/** Bodies up to this size are read before anybody is asked who sends them, in bytes. */
const readForAnyone = 256 * 1024;

/**
 * Reads large bodies only for those who hold an API key: guards run after the body has been parsed, and a stranger must
 * not be able to fill the memory with requests that are refused in the end.
 */
@Injectable()
export class LargeBodyGate implements OnModuleInit {
  constructor(
    private readonly authenticate: AuthenticateApiKey,
    private readonly adapter: HttpAdapterHost,
  ) {}

  onModuleInit(): void {
    const fastify = this.adapter.httpAdapter.getInstance<FastifyInstance>();
    fastify.addHook('preParsing', async (request: FastifyRequest) => {
      if (mayBeLarge(request)) await this.authenticate.execute(bearerToken(request.headers.authorization));
    });
  }
}

function mayBeLarge({ headers }: FastifyRequest): boolean {
  if (headers['transfer-encoding'] !== undefined) return true;
  return Number(headers['content-length'] ?? 0) > readForAnyone;
}
