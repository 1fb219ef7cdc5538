import { OwnOrigin } from '#accounts';
import { leaveUnlogged, responseOf } from '#http/server';
import { MissingApiKeyError, RequestPrincipals } from '#identity';
import type { Principal } from '#identity';
import { Injectable, OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { batchRefusal, ForeignOriginError, MessageTooLargeError, NoStreamError } from '../../domain/mcp-errors.js';
import { hasFewValues, maxMessageBytes } from '../../domain/message-bounds.js';
import { InnerRequests } from './inner-requests.js';
import { McpCaller, ToolServer } from './tool-server.js';
import { ToolSet, toolSets } from './tools/tool-sets.js';

const metadataPath = '/.well-known/oauth-protected-resource';

/**
 * The API as tools for agents: MCP over Streamable HTTP. A message is answered by JSON and leaves nothing behind, so there is no
 * stream (`GET` is 405) and no session. The story: a message comes in here, `ToolServer` finds its tool, the tool asks for
 * operations of the API, and `InnerRequests` carries them out.
 */
@Injectable()
export class McpEndpoint implements OnModuleInit {
  constructor(
    private readonly adapter: HttpAdapterHost,
    private readonly principals: RequestPrincipals,
    private readonly origin: OwnOrigin,
    private readonly inner: InnerRequests,
    private readonly server: ToolServer,
  ) {}

  onModuleInit(): void {
    const fastify = this.adapter.httpAdapter.getInstance<FastifyInstance>();
    for (const tools of toolSets) {
      fastify.get(`${metadataPath}${tools.path}`, async () => this.resource(tools));
      void fastify.register(async (scope) => this.mount(scope, tools));
    }
  }

  private mount(scope: FastifyInstance, tools: ToolSet): void {
    scope.addHook('onRequest', async (request) => this.check(request));
    scope.addHook('onSend', async (_request, reply) => {
      if (reply.statusCode !== 401) return;
      const metadata = `${this.origin.value}${metadataPath}${tools.path}`;
      void reply.header('www-authenticate', `Bearer resource_metadata="${metadata}"`);
    });
    scope.post(tools.path, (request, reply) => this.answer(tools, request, reply));
    scope.route({ method: ['GET', 'DELETE'], url: tools.path, handler: refuseStream });
  }

  /** The tools as a protected resource (RFC 9728). Clients ask for all scopes that it names, so it names no others. */
  private resource({ path, permissions }: ToolSet): object {
    return {
      resource: `${this.origin.value}${path}`,
      authorization_servers: [this.origin.value],
      scopes_supported: permissions,
      bearer_methods_supported: ['header'],
    };
  }

  /** Before the body is read. The session of a browser is no credential here. */
  private check({ headers }: FastifyRequest): void {
    const { origin } = headers;
    if (origin !== undefined && origin !== this.origin.value) throw new ForeignOriginError();
    if (headers.authorization === undefined) throw new MissingApiKeyError();
    if (Number(headers['content-length'] ?? 0) > maxMessageBytes) throw new MessageTooLargeError();
  }

  private async answer(tools: ToolSet, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const principal = await this.principals.authenticate(request);
    const { body } = request;
    const caller = this.callerOf(request, reply, principal);
    // The operations that a tool asks for are counted, and logged, themselves.
    const isWithinBounds = hasFewValues(body);
    if (!isToolCall(body) || !isWithinBounds) await caller.count();
    if (Array.isArray(body)) return void (await reply.status(400).send(batchRefusal));
    if (!isWithinBounds) throw new MessageTooLargeError();
    leaveUnlogged(request);
    const response = await this.server.answer({ headers: headersOf(request), body }, tools, caller);
    const type = response.headers.get('content-type');
    if (type !== null) void reply.header('content-type', type);
    await reply.status(response.status).send(await response.text());
  }

  private callerOf(request: FastifyRequest, reply: FastifyReply, principal: Principal): McpCaller {
    const { actor } = principal;
    return {
      principal,
      name: 'id' in actor ? `${actor.kind} ${actor.id}` : actor.kind,
      count: () => this.principals.admit(principal, reply),
      page: (path) => `${this.origin.value}/app/${path}`,
      ask: (question) => this.inner.send(request, question),
    };
  }
}

/** Clients of older revisions ask for a stream each time they connect, so that it is not worth an entry in the log. */
function refuseStream(request: FastifyRequest, reply: FastifyReply): void {
  leaveUnlogged(request);
  void reply.status(405).header('allow', 'POST').send(responseOf(new NoStreamError()));
}

function isToolCall(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'method' in body && body.method === 'tools/call';
}

/** What the protocol reads: the kinds of content, and its own headers. */
function headersOf({ headers }: FastifyRequest): Headers {
  const isRead = (name: string): boolean => ['accept', 'content-type'].includes(name) || name.startsWith('mcp-');
  const read = Object.entries(headers).filter(
    (header): header is [string, string] => typeof header[1] === 'string' && isRead(header[0]),
  );
  return new Headers(read);
}
