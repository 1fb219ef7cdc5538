import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';

/** The handler gets each body as a `FormBody`, of whatever type. All other handlers refuse forms. */
export const TakesForms = (): MethodDecorator => RouteConfig({ forms: true });

export function takesForms(request: FastifyRequest): boolean {
  return (request.routeOptions.config as { forms?: unknown }).forms === true;
}
