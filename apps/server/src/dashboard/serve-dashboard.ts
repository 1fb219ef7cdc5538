import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Config } from '#platform/config';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { dashboardHeaders } from './dashboard-headers.js';

/** Where `npm run build` puts the dashboard: beside the built program. */
export const builtDashboard = join(import.meta.dirname, '../../../dashboard/web');

/**
 * Serves the dashboard at `/` and `/app/*`, the API reference at `/docs`, and its files under `/assets/`. There is no
 * catch-all: the API owns all other paths, and an unknown one keeps its 404 in JSON.
 */
export async function serveDashboard(
  fastify: FastifyInstance,
  { values }: Config,
  folder = builtDashboard,
): Promise<void> {
  const headers = dashboardHeaders(
    values.oidcProviders.flatMap(({ logo }) => (logo?.startsWith('https:') ? [logo] : [])),
  );
  // A program that was built without the dashboard is an API alone.
  if (!existsSync(join(folder, 'index.html'))) {
    fastify.get('/docs', (_request, reply) => reply.redirect('/openapi.json'));
    return;
  }
  await fastify.register(fastifyStatic, {
    root: join(folder, 'assets'),
    prefix: '/assets/',
    preCompressed: true,
    index: false,
    // The name of a file contains the hash of its content.
    immutable: true,
    maxAge: '365d',
    setHeaders: (response) => void response.setHeader('x-content-type-options', 'nosniff'),
  });
  const page = (_request: unknown, reply: FastifyReply): FastifyReply =>
    reply.headers(headers).sendFile('index.html', folder, { cacheControl: false });
  for (const path of ['/', '/docs', '/app', '/app/*']) fastify.get(path, page);
  fastify.addHook('onRequest', leadToPages);
}

/**
 * Links of other tools lead to `/broadcasts/<id>` and `/templates/<id>`, which are paths of the API. A browser that opens one is led to
 * the page; programs ask for JSON.
 */
function leadToPages(request: FastifyRequest, reply: FastifyReply, goOn: () => void): void {
  if (request.method !== 'GET' || request.headers.authorization !== undefined) return goOn();
  if (request.headers.accept?.startsWith('text/html') !== true) return goOn();
  const [path = ''] = request.url.split('?', 1);
  if (!/^\/(?:broadcasts|templates)\/[\w.~-]{1,128}$/.test(path)) return goOn();
  void reply.redirect(`/app${path}`);
}
