import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiQuestion, ApiRefusalError, ApiReply } from './tools/agent-tool.js';

/** An email may be 40 MB. A tool shows the first characters of it, so more than this is not even read. */
const maxReplyBytes = 1024 * 1024;

/**
 * Carries out requests to the API within the process, as if the caller had sent them: with the caller's credential and
 * address, through the same hooks, guards, limits, logs and checks. A tool can so never do what the API would refuse.
 */
@Injectable()
export class InnerRequests {
  constructor(private readonly adapter: HttpAdapterHost) {}

  /** Throws ApiRefusalError. */
  async send(outer: FastifyRequest, question: ApiQuestion): Promise<ApiReply> {
    const { method, body } = question;
    const response = await this.adapter.httpAdapter.getInstance<FastifyInstance>().inject({
      method,
      url: urlOf(question),
      // What trusted proxies say of the client has been read: no header of theirs is passed on.
      remoteAddress: outer.ip,
      headers: headersOf(outer, question),
      payload: body === undefined ? undefined : JSON.stringify(body),
      payloadAsStream: true,
    });
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of response.stream() as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > maxReplyBytes) {
        response.raw.res.destroy();
        throw new ApiRefusalError(413, 'What was asked for is larger than 1 MB: ask for it over the API.');
      }
      chunks.push(chunk);
    }
    const reply = JSON.parse(Buffer.concat(chunks).toString()) as ApiReply;
    if (response.statusCode < 400) return reply;
    throw new ApiRefusalError(response.statusCode, refusalText(reply, Number(response.headers['retry-after'])));
  }
}

/** Segments that URLs resolve would lead to another operation than that of the tool. */
const dots = /\/\.{1,2}(?:\/|$)/;

function urlOf({ path, query = {} }: ApiQuestion): string {
  if (dots.test(path)) throw new ApiRefusalError(404, 'not_found: Nothing has this name.');
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const parameters = new URLSearchParams(given as [string, string][]);
  return given.length === 0 ? path : `${path}?${String(parameters)}`;
}

function headersOf({ headers, host }: FastifyRequest, { body, idempotencyKey }: ApiQuestion): Record<string, string> {
  return {
    host,
    authorization: headers.authorization ?? '',
    'user-agent': headers['user-agent'] ?? 'mcp',
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
  };
}

function refusalText({ name, message }: ApiReply, retryAfterSeconds: number): string {
  const wait = Number.isNaN(retryAfterSeconds) ? '' : ` Try again in ${retryAfterSeconds} seconds.`;
  return `${String(name)}: ${String(message)}${wait}`;
}
