import { FastifyAdapter } from '@nestjs/platform-fastify';
import { FastifyInstance } from 'fastify';
import { DomainError } from '#kernel';
import { admitLargeBodies } from './body-admission.js';
import { rememberRoutes } from './route-table.js';

/**
 * Largest request body, in bytes. 40 MB of attachments may arrive as JSON arrays of integers, about four characters
 * a byte (api-contract section 6).
 */
export const maximumBodySize = 170 * 1024 * 1024;

export function createFastifyAdapter(): FastifyAdapter {
  const adapter = new FastifyAdapter({
    bodyLimit: maximumBodySize,
    // A shared base URL variable with a trailing slash makes some clients send `//emails`.
    rewriteUrl: (request: { url?: string }) => (request.url ?? '/').replace(/^\/{2,}/, '/'),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 1_000 },
    requestTimeout: 300_000,
    keepAliveTimeout: 75_000,
    return503OnClosing: false,
    logger: false,
  });
  const fastify = adapter.getInstance() as unknown as FastifyInstance;
  rememberRoutes(fastify);
  admitLargeBodies(fastify, maximumBodySize);
  acceptJson(fastify);
  return adapter;
}

/**
 * JSON whatever the request calls itself, and an empty body counts as none: clients send `Content-Type:
 * application/json` with body-less POSTs, bodies with GET, and none of this may fail (api-contract section 1.2).
 */
function acceptJson(fastify: FastifyInstance): void {
  const parse = fastify.getDefaultJsonParser('error', 'error');
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser(
    ['application/json', 'text/plain', '*'],
    { parseAs: 'string' },
    (request, body, done): void => {
      const text = body as string;
      if (text.length === 0 || text.trim() === '') return done(null, undefined);
      if (!acceptsJson(request.headers['content-type'])) {
        return done(
          new DomainError(
            'invalid',
            'validation_error',
            'The request body must be JSON, sent as `Content-Type: application/json`.',
          ),
        );
      }
      return void parse(request, text, done);
    },
  );
}

function acceptsJson(contentType: string | undefined): boolean {
  return contentType === undefined || /^\s*(?:application\/(?:[\w.-]+\+)?json|text\/plain)\b/i.test(contentType);
}
