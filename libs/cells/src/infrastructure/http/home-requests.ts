import { internalError, readableError, responseOf } from '#http/server';
import { DomainError } from '#kernel';
import { Injectable, OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Cells } from '../../domain/cells.js';
import { CellRequests, endOf, relay } from './cell-requests.js';
import { CellSignatures } from './cell-signatures.js';

/** Mail, its links, logs of requests, and what is asked of this process alone. Everything else is asked of the home cell. */
const own = new Set('emails email logs shared attachments o c sandbox healthz readyz metrics openapi.json'.split(' '));
const retryAfterSeconds = '10';

/**
 * In a cell that is not the home cell, passes on whatever reads or changes what all cells share, such as domains, keys,
 * contacts and broadcasts: as it comes, unread, to the home cell, which authenticates it.
 */
@Injectable()
export class HomeRequests implements OnModuleInit {
  constructor(
    private readonly cells: Cells,
    private readonly requests: CellRequests,
    private readonly signatures: CellSignatures,
    private readonly adapters: HttpAdapterHost,
  ) {}

  onModuleInit(): void {
    if (this.cells.isHome) return;
    this.adapters.httpAdapter.getInstance<FastifyInstance>().addHook('onRequest', (request, reply, done) => {
      if (isOwn(request.url) || this.signatures.isPassedOn(request)) return done();
      reply.hijack();
      void this.passOn(request, reply);
    });
  }

  private async passOn(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    try {
      const { method, raw } = request;
      const headers = {
        ...request.headers,
        'x-forwarded-for': request.ip,
        'x-forwarded-host': request.host,
        'x-forwarded-proto': request.protocol,
      };
      const passed = { method, path: raw.url ?? '/', headers, body: raw };
      await relay(await this.requests.send(this.cells.home, passed, endOf(reply)), reply);
    } catch (error) {
      if (reply.raw.headersSent) return void reply.raw.destroy();
      const body = error instanceof DomainError ? responseOf(error) : internalError;
      reply.raw.writeHead(body.statusCode, {
        'content-type': 'application/json; charset=utf-8',
        'retry-after': retryAfterSeconds,
        connection: 'close',
      });
      reply.raw.end(JSON.stringify(readableError(body, request.headers['user-agent'])));
    }
  }
}

function isOwn(url: string): boolean {
  const [first = ''] = url.slice(1).split(/[/?]/, 1);
  return own.has(first);
}
