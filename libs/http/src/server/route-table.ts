import { FastifyInstance } from 'fastify';

export interface KnownRoute {
  readonly method: string;
  /** With the names of its parameters: `/domains/:id`. */
  readonly url: string;
  readonly pattern: RegExp;
}

const tables = new WeakMap<object, KnownRoute[]>();

/** Remembers every registered route, so that a wrong method on a known path is distinguished from an unknown path. */
export function rememberRoutes(fastify: FastifyInstance): void {
  const routes: KnownRoute[] = [];
  tables.set(fastify.server, routes);
  fastify.addHook('onRoute', (route) => {
    if (route.url.includes('*')) return;
    const pattern = new RegExp(`^${route.url.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replace(/:[^/]+/g, '[^/]+')}/?$`);
    for (const method of [route.method].flat()) routes.push({ method, url: route.url, pattern });
  });
}

/** Every route that is registered, except those that serve whole folders. */
export function routesOf(fastify: FastifyInstance): readonly KnownRoute[] {
  return tables.get(fastify.server) ?? [];
}

/** The methods that the path of this URL supports. Empty if the path is unknown. */
export function methodsOf(fastify: FastifyInstance, url: string): string[] {
  const path = url.split('?', 1)[0] as string;
  const routes = tables.get(fastify.server) ?? [];
  return [...new Set(routes.filter((route) => route.pattern.test(path)).map((route) => route.method))];
}
