import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';

/** The handler gets a MultipartBody as its body if the request is `multipart/form-data`. All other handlers refuse it. */
export const TakesMultipart = (): MethodDecorator => RouteConfig({ multipart: true });

export function takesMultipart(request: FastifyRequest): boolean {
  return (request.routeOptions.config as { multipart?: unknown }).multipart === true;
}
