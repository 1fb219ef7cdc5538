import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';

/** The handler gets a MultipartBody as its body if the request is `multipart/form-data`. All other handlers refuse it. */
export const TakesMultipart = (): MethodDecorator => RouteConfig({ multipart: true });

/** The same for `application/x-www-form-urlencoded`, whose body is a MultipartBody without files. JSON arrives as JSON. */
export const TakesMultipartOrForms = (): MethodDecorator => RouteConfig({ multipart: true, encodedForms: true });

export function takesEncodedForms(request: FastifyRequest): boolean {
  return (request.routeOptions.config as { encodedForms?: unknown }).encodedForms === true;
}

export function takesMultipart(request: FastifyRequest): boolean {
  return (request.routeOptions.config as { multipart?: unknown }).multipart === true;
}
