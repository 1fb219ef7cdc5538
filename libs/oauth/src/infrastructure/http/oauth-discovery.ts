import { OwnOrigin } from '#accounts';
import { Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ToolAccess } from '../../application/tool-access.js';
import { knownScopes } from '../../domain/scopes.js';
import { OAuthLimits } from './oauth-limits.js';

/** How a tool that knows only the API finds everything else, and registers itself. */
@Injectable()
export class OAuthDiscovery {
  constructor(
    private readonly access: ToolAccess,
    private readonly origin: OwnOrigin,
    private readonly limits: OAuthLimits,
  ) {}

  /** Each 401 of the API says where the metadata is (RFC 9728 section 5.1). */
  announceIn(fastify: FastifyInstance): void {
    fastify.addHook('onSend', (_request, reply, payload, done) => {
      if (reply.statusCode === 401) {
        const metadata = `${this.origin.value}/.well-known/oauth-protected-resource`;
        reply.header('www-authenticate', `Bearer resource_metadata="${metadata}"`);
      }
      done(null, payload);
    });
  }

  mount(scope: FastifyInstance): void {
    scope.get('/.well-known/oauth-protected-resource', async () => this.resource());
    for (const path of ['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration']) {
      scope.get(path, async () => this.server());
    }
    scope.post('/oauth/register', (request, reply) => this.register(request, reply));
  }

  /** The API as a protected resource (RFC 9728). */
  private resource(): object {
    return {
      resource: this.origin.value,
      authorization_servers: [this.origin.value],
      scopes_supported: knownScopes,
      bearer_methods_supported: ['header'],
    };
  }

  /** The authorization server (RFC 8414). */
  private server(): object {
    const at = (path: string): string => `${this.origin.value}/oauth/${path}`;
    return {
      issuer: this.origin.value,
      authorization_endpoint: at('authorize'),
      token_endpoint: at('token'),
      registration_endpoint: at('register'),
      revocation_endpoint: at('revoke'),
      response_types_supported: ['code'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none', 'client_secret_post', 'client_secret_basic'],
      scopes_supported: knownScopes,
      authorization_response_iss_parameter_supported: true,
    };
  }

  /** Registers a tool (RFC 7591). */
  private async register(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    this.limits.takeRegistration(request);
    const { client, secret, method } = await this.access.register((request.body ?? {}) as Record<string, unknown>);
    await reply
      .status(201)
      .header('cache-control', 'no-store')
      .send({
        client_id: client.id,
        client_id_issued_at: Math.floor(client.createdAt.getTime() / 1_000),
        client_name: client.name,
        ...(client.logoUri === null ? {} : { logo_uri: client.logoUri }),
        redirect_uris: client.redirectUris,
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: method,
        ...(secret === undefined ? {} : { client_secret: secret, client_secret_expires_at: 0 }),
      });
  }
}
